import { describe, expect, it } from 'vitest';
import { nodeUser, tokenUser } from '../../../local/world/certificates/requests.ts';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { askForCertificate } from '../../support/certificates/kubelet.ts';
import { nodeNameOf } from '../../support/observed-instance.ts';
import { operatorOf } from '../operator.ts';

/** A Ready node, a renewal of it, and a stranger with a stolen token that asks for its name. */
async function worldWithRequests() {
  const world = createDroverWorld();
  const [instanceId = ''] = await withWorkers(world, { size: 1 });
  const node = nodeNameOf(world, instanceId);
  const subject = `O=system:nodes,CN=system:node:${node}`;
  const renewal = await askForCertificate(world, {
    name: 'renewal',
    user: nodeUser(node),
    signer: 'client',
    subject,
  });
  const stolen = await askForCertificate(world, {
    name: 'stolen',
    user: tokenUser,
    signer: 'client',
    subject,
  });
  return { world, run: operatorOf(world), node, instanceId, renewal, stolen };
}

interface Listed {
  readonly name: string;
  readonly verdict: string;
  readonly check: string | null;
}

describe('drover csr', () => {
  it('lists pending requests with verdict and reason, before the function has run', async () => {
    const { run, node } = await worldWithRequests();
    const { code, out, err } = await run('csr list');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^NAME +AGE +SIGNER +REQUESTER +NODE +VERDICT +REASON\n/);
    expect(out).toMatch(
      new RegExp(`renewal +\\S+ +client +system:node:${node} +${node} +approve +the node itself asks`),
    );
    expect(out).toMatch(/stolen .* conflict +the Node of this name is Ready/);
  });

  it('lists decided requests with --all, as JSON too', async () => {
    const { world, run } = await worldWithRequests();
    await world.timeline.pass(61);
    const listed = async (line: string) => JSON.parse((await run(line)).out) as readonly Listed[];
    expect((await listed('csr list --json')).map(({ name }) => name)).toEqual(['stolen']);
    expect(await listed('csr list --all --json')).toMatchObject([
      { name: 'renewal', verdict: 'approved', check: null },
      { name: 'stolen', verdict: 'conflict', check: 'situation' },
    ]);
  });

  it.each(['csr list', 'csr explain stolen', 'csr approve stolen --yes', 'csr deny stolen --yes'])(
    '%s fails if the cluster has no group, as in another region: each request would seem to come from outside',
    async (line) => {
      const { run, stolen } = await worldWithRequests();
      expect(await run(`${line} --cluster other`)).toEqual({
        code: 1,
        out: '',
        err: 'drover: no Auto Scaling group in this account and region carries the tags of cluster other\n',
      });
      expect(stolen()).toBe('pending');
    },
  );

  it.each([
    [
      'approve',
      'deny',
      /^drover: stolen is approved already: .*\. Kubernetes revokes no certificate: replace the instance of ip-\S+ if it must not have one\n$/,
    ],
    [
      'deny',
      'approve',
      /^drover: stolen is denied already: .*\. The kubelet sends another request: drover csr list\n$/,
    ],
  ])('after %s, %s says that it is too late, and what is left to do', async (first, second, words) => {
    const { run } = await worldWithRequests();
    await run(`csr ${first} stolen --yes`);
    expect(await run(`csr ${second} stolen --yes`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(words),
    });
  });

  it('names in one line a request that there is not', async () => {
    const { run } = await worldWithRequests();
    expect(await run(['csr', 'explain', 'a\nb'])).toMatchObject({
      code: 1,
      err: 'drover: there is no certificate request a b of a kubelet: drover csr list --all shows them\n',
    });
  });

  it('says so if nothing is pending', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    const run = operatorOf(world);
    expect(await run('csr list')).toMatchObject({
      code: 0,
      out: 'no certificate request of a kubelet is pending\n',
    });
  });

  it('explains one request: requester, key, check and reason', async () => {
    const { run, node } = await worldWithRequests();
    const { code, out } = await run('csr explain stolen');
    expect(code).toBe(0);
    expect(out).toContain('requester:  system:bootstrap:abcdef (system:bootstrappers');
    expect(out).toContain(`node:       ${node}\n`);
    expect(out).toMatch(/key: +SHA-256 [0-9a-f]{64}\n/);
    expect(out).toContain('verdict:    conflict, by the check "situation"\n');
  });

  it.each([
    ['approve', 'Approved'],
    ['deny', "Denied: Denied with drover csr deny by ana; Drover's verdict was conflict: "],
  ])(
    '%s shows the reasons and changes nothing without --yes, and decides with it',
    async (verb, condition) => {
      const { run, stolen } = await worldWithRequests();
      const looked = await run(`csr ${verb} stolen`);
      expect(looked).toMatchObject({
        code: 0,
        out: expect.stringContaining(`would ${verb} stolen: give --yes to do it`),
      });
      expect(looked.out).toContain('reason: ');
      expect(stolen()).toBe('pending');
      expect(await run(`csr ${verb} stolen --yes`)).toMatchObject({ code: 0, err: '' });
      expect(stolen()).toContain(condition);
      expect(await run(`csr ${verb} stolen --yes`)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/stolen is (approved|denied) already/),
      });
    },
  );

  it('refuses a name that no request has', async () => {
    const { run } = await worldWithRequests();
    expect(await run('csr explain nothing')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no certificate request nothing of a kubelet'),
    });
  });
});
