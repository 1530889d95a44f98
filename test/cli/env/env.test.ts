import { execFileSync } from 'node:child_process';
import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { formatEnvironmentFile } from '../../../cli/env/environment-file.ts';
import { runCli } from '../../../cli/program.ts';

const environment = {
  AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
  AWS_SESSION_TOKEN: '',
  KUBECONFIG: "/tmp/it's mine/kubeconfig",
};

interface Folder {
  readonly files?: Readonly<Record<string, string>>;
  readonly isRunning?: boolean;
  readonly startedAs?: readonly string[];
}

async function runIn({ files = {}, isRunning = true, startedAs }: Folder, ...args: readonly string[]) {
  const written = { out: '', err: '' };
  const code = await runCli(['env', ...args], {
    environment: {},
    homeDirectory: '/home/me',
    ...(startedAs && { startedAs }),
    clock: createVirtualClock(),
    pause: () => Promise.resolve(),
    stdout: { write: (text) => void (written.out += text), isTerminal: false },
    stderr: { write: (text) => void (written.err += text), isTerminal: false },
    readFile: async (path) => files[path] ?? (await Promise.reject(new Error(`no file ${path}`))),
    runProgram: () => Promise.reject(new Error('no programs here')),
    sendHttp: async () =>
      isRunning
        ? { status: 404, headers: {}, body: '' }
        : await Promise.reject(new Error('connection refused')),
  });
  return { code, ...written };
}

const file = formatEnvironmentFile(environment);

describe('drover env', () => {
  it('prints an export for each variable, quoted for a shell', async () => {
    const { code, out, err } = await runIn({ files: { '.drover/environment.json': file } });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      `export AWS_ENDPOINT_URL=http://127.0.0.1:4566\nexport AWS_SESSION_TOKEN=''\nexport KUBECONFIG='/tmp/it'\\''s mine/kubeconfig'\n`,
    );
  });

  it.each([
    ['a script of bash', ['bash', '--norc', '-euc']],
    ['a script of sh', ['sh', '-euc']],
    ['an interactive bash', ['bash', '--norc', '-ic']],
  ])('makes drover this program in %s', async (_, [shell = '', ...options]) => {
    const { out } = await runIn({
      files: { '.drover/environment.json': file },
      startedAs: ['/bin/echo', "it's this program"],
    });
    const script = `eval "$1"\ndrover status "it's two words"`;
    const printed = execFileSync(shell, [...options, script, shell, out], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(printed).toBe("it's this program status it's two words\n");
  });

  it('prints JSON for programs', async () => {
    const { out } = await runIn({ files: { '.drover/environment.json': file } }, '--json');
    expect(JSON.parse(out)).toEqual(environment);
  });

  it('reads another file if a flag names it', async () => {
    const { code } = await runIn({ files: { '/run/other.json': file } }, '--file', '/run/other.json');
    expect(code).toBe(0);
  });

  it.each([
    ['if no sandbox has started', {}, 'no sandbox runs in this folder'],
    [
      'if it has ended without removing the file',
      { files: { '.drover/environment.json': file }, isRunning: false },
      'the sandbox of this folder has ended',
    ],
    [
      'for a file with other variables than a sandbox writes',
      { files: { '.drover/environment.json': '{"PATH": "/tmp/evil"}' } },
      'is not the file of a sandbox',
    ],
  ] as const)('prints nothing for a shell %s', async (_, folder, message) => {
    const { code, out, err } = await runIn(folder);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});
