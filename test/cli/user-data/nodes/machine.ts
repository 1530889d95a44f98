import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const tools = [
  'bash',
  'curl',
  'jq',
  'sed',
  'grep',
  'head',
  'tail',
  'base64',
  'mkdir',
  'chmod',
  'mv',
  'rm',
  'dirname',
  'timeout',
  'env',
  'cat',
  'cut',
];

/** Undefined, or the program of images that this machine lacks. */
export const missingTool = tools.find((tool) => pathOf(tool) === undefined);

function pathOf(tool: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

export interface Run {
  readonly status: number;
  readonly log: string;
}

/** The disk of an instance, with the programs of its image; those that make a node only write down how they were called. */
export function createMachine() {
  const root = mkdtempSync(join(tmpdir(), 'drover-node-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (path: string): string => join(root, path);
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
    chmodSync(at(path), mode);
  };
  const read = (path: string): string | undefined =>
    existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined;
  mkdirSync(at('bin'));
  for (const tool of tools) symlinkSync(pathOf(tool) ?? '/missing', at(`bin/${tool}`));
  const program = (name: string, body: string): void => {
    // Not through the link, which leads to the program of this machine.
    rmSync(at(`bin/${name}`), { force: true });
    write(`bin/${name}`, `#!/bin/bash\n${body}\n`, 0o755);
  };
  // Time passes when a process sleeps, and nothing waits for it.
  program('sleep', `${pathOf('sleep')} 0.02; echo "$1" >>${at('sleeps')}`);
  for (const name of ['kubelet', 'kubeadm'])
    program(
      name,
      `printf '%s\\0' "$@" >>${at(`${name}-calls`)}; printf '\\n' >>${at(`${name}-calls`)}; [[ ! -e ${at(`${name}-fails`)} ]]`,
    );

  /** Runs a script of the user data, with the folders of the machine moved into this one. */
  const run = (script: string, environment: Readonly<Record<string, string>>): Promise<Run> => {
    const moved = script.replaceAll(
      /(?<![\w/])\/(var\/lib|etc\/kubernetes|etc\/origin|etc\/hosts|run\/systemd|run\/drover-node|run\/cloud-init)\b/g,
      (path) => at(path),
    );
    write('script', moved);
    return new Promise((resolve, reject) => {
      const child = spawn(at('bin/bash'), [at('script')], { env: { ...environment, PATH: at('bin') } });
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data: Buffer) => (log += String(data)));
      child.on('error', reject);
      child.on('close', (status) => resolve({ status: status ?? -1, log: log.replaceAll(root, '') }));
    });
  };
  const calls = (name: 'kubelet' | 'kubeadm'): readonly (readonly string[])[] =>
    (read(`${name}-calls`) ?? '')
      .split('\n')
      .filter(Boolean)
      .map((call) =>
        call
          .split('\0')
          .filter(Boolean)
          .map((word) => word.replaceAll(root, '')),
      );
  return {
    at,
    calls,
    program,
    read,
    run,
    write,
    /** The program of this machine. */
    original: (tool: string): string => pathOf(tool) ?? '/missing',
    mode: (path: string): number => statSync(at(path)).mode & 0o777,
    /** What it slept in all, in seconds of its own. */
    slept: (): number =>
      (read('sleeps') ?? '').split('\n').reduce((sum, seconds) => sum + Number(seconds), 0),
  };
}
