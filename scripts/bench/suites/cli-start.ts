import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleCli } from '../../build/cli.ts';
import { programFile, startFile } from '../../build/cli-files.ts';
import { type Figure, median, type Suite } from '../figure.ts';

const rounds = 21;
const goalMilliseconds = 150;
const run = promisify(execFile);

/** As on Node 20, which keeps nothing. The first start after an installation also writes what it keeps. */
const notCompiled = '--version, not compiled before';

const candidates: Readonly<Record<string, readonly string[]>> = {
  node: ['-e', '0'],
  '--version': [startFile, '--version'],
  '--help': [startFile, '--help'],
  'completion bash': [startFile, 'completion', 'bash'],
  [notCompiled]: [programFile, '--version'],
};

/** Interleaved, so that a machine that is busy for a while is busy for all of them. */
async function timesOf(folder: string): Promise<ReadonlyMap<string, number>> {
  const times = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, parameters] of Object.entries(candidates)) {
      const begun = performance.now();
      await run(process.execPath, parameters, {
        cwd: folder,
        env: { ...process.env, XDG_CACHE_HOME: folder },
      });
      times.get(name)?.push(performance.now() - begun);
    }
  return new Map([...times].map(([name, values]) => [name, median(values)]));
}

async function measure(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-start-'));
  try {
    const { files } = await bundleCli();
    for (const [name, code] of files) await writeFile(join(folder, name), code);
    const { node = Number.NaN, ...commands } = Object.fromEntries(await timesOf(folder));
    return [
      { name: 'node', value: node, unit: 'ms' },
      ...Object.entries(commands).flatMap(([name, value]) => [
        {
          name: `drover ${name}, beyond node`,
          value: value - node,
          unit: 'ms',
          ...(name !== notCompiled && { goal: goalMilliseconds }),
        },
        { name: `drover ${name} against node`, value: value / node, unit: 'x' },
      ]),
      { name: 'the bundle', value: (files.get(programFile)?.length ?? Number.NaN) / 1000, unit: 'KB' },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const cliStart: Suite = {
  name: 'cli-start',
  about: `the packed CLI from its start to its end, medians of ${rounds} interleaved`,
  run: measure,
};
