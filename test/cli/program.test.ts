import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { contextOn, thisMachine } from '../../cli/context.ts';
import { listByDefault } from '../../cli/listing/by-default.ts';
import { booleanFlags, plainBooleans } from '../../cli/plain-booleans.ts';
import { createProgram } from '../../cli/program.ts';
import { createCliWorld, kubeconfigFor } from './support.ts';

const usage = 2;

describe('drover', () => {
  it('prints help for itself and each command, with examples and exit codes', async () => {
    const { run } = createCliWorld();
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('drain') });
    const { code, out } = await run('drain', '--help');
    expect(code).toBe(0);
    expect(out).toContain('Examples:');
    expect(out).toMatch(/3 +refused/);
  });

  it.each([
    [['drian']],
    [['drain']],
    [['drain', 'a', 'b']],
    [['drain', 'a', '--fast']],
    [['drain', 'a', '--timeout', 'soon']],
    [['drain', 'a', '--grace-period', '1.5']],
    [['drain', 'a', '--pod-selector', 'app in web']],
    [['drain', 'a', '--force=maybe']],
    [['drain', 'a', '--dry-run=perhaps']],
  ])('refuses the command line %j with exit code 2 and a hint', async (args) => {
    const { run } = createCliWorld();
    const { code, err } = await run(...args);
    expect(code).toBe(usage);
    expect(err).toMatch(/^error: .*\n/);
    expect(err).toContain('--help');
  });

  it.each([
    [['drian'], 'drover --help'],
    [['drain'], 'drover drain --help'],
    [['hold', 'workers', '3'], 'drover hold --help'],
    [['hold', 'create', 'workers'], 'drover hold create --help'],
  ])('names for the command line %j the help of the command that refuses it', async (args, help) => {
    const { run } = createCliWorld();
    expect((await run(...args)).err).toContain(`(${help} explains)`);
  });

  it.each([[['hold']], [['schedule', '--json']], [['csr', '--all']], [['token', '--cluster=prod']]])(
    'lists on the command line %j, which names no subcommand',
    ([name = '', ...flags]) => {
      expect(listByDefault([name, ...flags], createProgram(contextOn(thisMachine())))).toEqual([
        name,
        'list',
        ...flags,
      ]);
    },
  );

  it.each([
    [['hold', 'create', 'workers', '3']],
    [['hold', '--help']],
    [['hold', 'lsit']],
    [['status', '--watch']],
    [['drian']],
    [[]],
  ])('leaves the command line %j as it is', (args) => {
    expect(listByDefault(args, createProgram(contextOn(thisMachine())))).toEqual(args);
  });

  const commandsOf = (command: Command): readonly Command[] => [
    command,
    ...command.commands.flatMap(commandsOf),
  ];
  const [program, ...commands] = commandsOf(createProgram(contextOn(thisMachine())));
  const helpOf = async (command: Command): Promise<string> => {
    const names: string[] = [];
    for (let one: Command | null = command; one && one !== program; one = one.parent)
      names.unshift(one.name());
    return (await createCliWorld().run(...names, '--help')).out;
  };

  it('lists the exit codes of each command in their order', async () => {
    for (const command of commands) {
      const help = await helpOf(command);
      const codes = [...(help.split('\nExit codes:\n')[1] ?? '').matchAll(/^ +(\d+) {2}/gm)].map(([, code]) =>
        Number(code),
      );
      expect(codes.slice(0, 3), command.name()).toEqual([0, 1, 2]);
      expect(codes, command.name()).toEqual(codes.toSorted((one, other) => one - other));
    }
  });

  it('shows the default of a duration with its unit', async () => {
    for (const command of commands)
      expect(await helpOf(command), command.name()).not.toMatch(/<duration> [^<]*\(default:\s+[1-9]\d*\)/);
  });

  it('takes =true and =false for each flag without a value', () => {
    const program = createProgram(contextOn(thisMachine()));
    const flags = [...booleanFlags(program)];
    expect(flags).toEqual(expect.arrayContaining(['--force', '--watch', '--wait', '--if-due', '--prune']));
    for (const flag of flags) {
      expect(plainBooleans([`${flag}=true`], program)).toEqual([flag]);
      expect(plainBooleans([`${flag}=false`], program)).toEqual([]);
    }
    expect(plainBooleans(['--timeout=true'], program)).toEqual(['--timeout=true']);
  });

  it('prints a stack trace only with DROVER_DEBUG', async () => {
    const plain = createCliWorld();
    expect((await plain.run('drain', 'x')).err).toBe('drover: there is no node x\n');
    const debug = createCliWorld({ environment: { DROVER_DEBUG: '1' } });
    expect((await debug.run('drain', 'x')).err).toMatch(/\n +at /);
  });
});

describe('the kubeconfig', () => {
  it('comes from the flag, else from KUBECONFIG, else from the home directory', async () => {
    const none = createCliWorld({ files: {}, environment: { KUBECONFIG: '/a:/b' } });
    expect((await none.run('drain', 'x')).err).toMatch(
      /no kubeconfig at \/a, \/b: give one with --kubeconfig/,
    );
    expect((await none.run('drain', 'x', '--kubeconfig', '/c')).err).toMatch(/no kubeconfig at \/c/);
    expect((await none.run('drain', 'x', '--kubeconfig', '/home/me/.kube/config')).err).toMatch(/no node x/);
  });

  it('may be merged from several files, of which the first wins', async () => {
    const cluster = 'clusters: [{ name: sandbox, cluster: { server: "https://api.test:6443" } }]';
    const world = createCliWorld({
      environment: { KUBECONFIG: '/missing:/conf/context:/conf/cluster:/home/me/.kube/config' },
      files: {
        '/conf/context':
          'contexts: [{ name: mine, context: { cluster: sandbox, user: reader } }]\ncurrent-context: mine',
        '/conf/cluster': `${cluster}\nusers: [{ name: reader, user: { tokenFile: token } }]`,
        '/conf/token': 'wrong',
      },
    });
    expect((await world.run('drain', 'x')).err).toMatch(/401 Unauthorized/);
    expect((await world.run('drain', 'x', '--context', 'sandbox')).err).toMatch(/no node x/);
    expect((await world.run('drain', 'x', '--context', 'other')).err).toMatch(/no context "other"/);
  });

  it('is used in its current context, and not in the first of its contexts', async () => {
    const contexts = (...names: readonly string[]) =>
      `contexts: [${names.map((name) => `{ name: ${name}, context: { cluster: sandbox, user: ${name} } }`).join(', ')}]`;
    const { run } = createCliWorld({
      environment: { KUBECONFIG: '/conf/one:/conf/two:/home/me/.kube/config' },
      files: {
        '/conf/one': `${contexts('first')}\nusers: [{ name: first, user: { token: wrong } }]`,
        '/conf/two': `${contexts('second', 'admin')}\nusers: [{ name: second, user: { token: wrong } }]\ncurrent-context: admin`,
      },
    });
    expect((await run('drain', 'x')).err).toMatch(/no node x/);
    expect((await run('drain', 'x', '--context', 'first')).err).toMatch(/401 Unauthorized/);
  });

  it.each(['hunter2: [', '- hunter2', 'users: hunter2'])(
    'that is invalid is refused without quoting it: %j',
    async (text) => {
      const { run } = createCliWorld({ files: { '/bad': text } });
      const { code, err } = await run('drain', 'x', '--kubeconfig', '/bad');
      expect(code).toBe(1);
      expect(err).toMatch(/\/bad is not a kubeconfig/);
      expect(err).not.toContain('hunter2');
    },
  );

  it('that cannot be read is named in the error', async () => {
    const readFile = () => Promise.reject(new Error('EACCES'));
    const { run } = createCliWorld({ context: { readFile } });
    expect((await run('drain', 'x')).err).toMatch(/config cannot be read: EACCES/);
  });
});

describe('a credential plugin', () => {
  const withPlugin = (mode = 'IfAvailable') =>
    kubeconfigFor('unused').replace(
      '{ token: unused }',
      `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: login, args: [now], env: [{ name: A, value: b }], interactiveMode: ${mode} } }`,
    );

  const worldWith = (print: (call: object, token: string) => Promise<string>, mode?: string) => {
    const world: ReturnType<typeof createCliWorld> = createCliWorld({
      files: { '/home/me/.kube/config': withPlugin(mode) },
      context: { runProgram: (call) => print(call, world.kubernetes.adminToken) },
    });
    return world;
  };

  it('is run as kubectl runs it, and its token is used', async () => {
    const calls: object[] = [];
    const { run } = worldWith((call, token) => {
      calls.push(call);
      return Promise.resolve(
        JSON.stringify({
          kind: 'ExecCredential',
          status: { token, expirationTimestamp: '2030-01-01T00:00:00Z' },
        }),
      );
    });
    expect((await run('drain', 'x')).err).toMatch(/no node x/);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      command: 'login',
      args: ['now'],
      environment: { A: 'b', KUBERNETES_EXEC_INFO: expect.stringContaining('"interactive":false') },
    });
  });

  it.each(['hunter2', '{"kind":"ExecCredential","status":{"token":2}}'])(
    'that prints %j is refused without quoting the output',
    async (output) => {
      const { run } = worldWith(() => Promise.resolve(output));
      const { code, err } = await run('drain', 'x');
      expect({ code, err }).toEqual({
        code: 1,
        err: 'drover: the credential plugin login printed no ExecCredential\n',
      });
    },
  );

  it('that fails is named, with the reason', async () => {
    const { run } = worldWith(() => Promise.reject(new Error('login ended with 3')));
    expect((await run('drain', 'x')).err).toMatch(/plugin login failed: login ended with 3/);
  });

  it('that needs a terminal is refused without one', async () => {
    const { run } = worldWith(() => Promise.resolve(''), 'Always');
    expect((await run('drain', 'x')).err).toMatch(/there is no terminal/);
  });

  it('may provide a client certificate', async () => {
    const seen: (string | undefined)[] = [];
    const status = { clientCertificateData: 'CERT', clientKeyData: 'KEY' };
    const world = createCliWorld({
      files: { '/home/me/.kube/config': withPlugin() },
      beforeRequest: ({ tls }) => seen.push(tls?.clientCertificate, tls?.clientKey),
      context: { runProgram: () => Promise.resolve(JSON.stringify({ kind: 'ExecCredential', status })) },
    });
    await world.run('drain', 'x');
    expect(seen.slice(0, 2)).toEqual(['CERT', 'KEY']);
  });
});
