import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** Runs it with its output in a pipe until that matches, then ends it; gives the output and the exit code. */
async function runUntil(pattern: RegExp, ...flags: readonly string[]) {
  const child = spawn(process.execPath, ['local/main.ts', ...flags]);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (pattern.test(output)) child.kill('SIGINT');
    });
  const [code] = await exit;
  return { output, code };
}

test('the story in a pipe is plain lines, in the order in which a node leaves', async () => {
  const { output, code } = await runUntil(/a new node has taken its place/, '--speed', '10', '--port', '0');
  expect(code).toBe(0);
  expect(output).not.toContain('\u001B');
  // The hook of another node that joins may be completed before.
  const steps = [
    'is Terminating:Wait',
    'is cordoned',
    'has ended on',
    'is drained and deleted; its hook is completed',
    'is gone from',
  ];
  const places = steps.map((step) => output.indexOf(step));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  // Or what is copied next would reach the cluster of the reader's own kubeconfig.
  expect(output.indexOf('eval "$(npx --no -- drover env)"')).toBeGreaterThan(0);
  expect(output.indexOf('eval "$(npx --no -- drover env)"')).toBeLessThan(
    output.indexOf('npx --no -- drover status'),
  );
  // The address of the page stays in sight: only the story follows it, whose lines begin with their time.
  const [, afterPage = ''] = output.split(/The page of the sandbox: http:\S+\n/);
  expect(afterPage).toMatch(/^\+ *\d+s story /);
  expect(output).toContain('never fewer than 4 healthy web pods; the budget wants 4');
});

test('the new node asks for its certificates and is in service once it is Ready; a stranger with its token gets none', async () => {
  const { output, code } = await runUntil(/drover csr explain stranger/, '--speed', '10', '--port', '0');
  expect(code).toBe(0);
  const steps = [
    'asks for a client certificate',
    'is approved (system:bootstrap:',
    'joins the cluster',
    'is Ready: its hook is completed',
    'a new node has taken its place',
    'A stranger has stolen the token',
    'certificate-requests stranger: not approved',
    'The request is not approved',
  ];
  const joined = output.slice(output.indexOf('Pending:Wait'));
  const places = steps.map((step) => joined.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('the story of etcd has a cluster that forms from the records and a member that is replaced', async () => {
  const { output, code } = await runUntil(/is replaced, after/, '--speed', '10', '--port', '0');
  expect(code).toBe(0);
  const steps = [
    'will form a cluster and find one another by DNS',
    'all at once',
    'have formed cluster',
    'a member of etcd, will be terminated',
    'is removed from cluster',
    'it has no vote yet',
    'is promoted: it votes in cluster',
    'There were never fewer than 2 members that vote: a quorum is 2.',
  ];
  const places = steps.map((step) => output.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const [snapshot, removal] = ['bytes as drover/', 'is removed from cluster'].map((text) =>
    output.indexOf(text),
  );
  expect(snapshot).toBeGreaterThan(0);
  expect(snapshot).toBeLessThan(removal ?? 0);
  expect(new Set(output.match(/(?<=cluster )[0-9a-f]{12,16}/g)).size).toBe(1);
});

test('the story of a document plays in its order, with commands that ran against the sandbox', async () => {
  const flags = ['--story', 'openshift-asg', '--speed', '20', '--port', '0'];
  const { output, code } = await runUntil(/The story has ended|failed:/, ...flags);
  expect(code).toBe(0);
  const steps = [1, 2, 3, 4, 5, 6].map((step) => output.indexOf(`Step ${step} of 6. By hand`));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(output).toContain('npx --no -- drover csr deny stranger --yes');
  expect(output).toContain('each step came as the story said');
});

test('an invalid flag ends the sandbox with 2 and a hint', async () => {
  const { output, code } = await runUntil(/never said/, '--speed', 'fast');
  expect(code).toBe(2);
  expect(output).toBe('--speed takes a number from 0.1 to 100, not "fast"\n(npm start -- --help explains)\n');
});
