import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cache } from '@drover/cloud-sandbox/real/installed.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';

/** The Python of checkov, with the parser of HCL that checkov reads Terraform with. `.ci/run` installs it. */
const python = join(cache, 'ci-checkov', 'bin', 'python');
export const hasParser = existsSync(python);

const script = `import hcl2, json, sys
print(json.dumps([hcl2.load(open(name)) for name in sys.argv[1:]]))`;

/** A block in parsed HCL: `resource "a" "b" {}` is { a: { b: {...} } }. */
export type Block = Readonly<Record<string, unknown>>;
export type Configuration = Readonly<Record<string, readonly Block[] | undefined>>;

/** One configuration of the files of a folder. @throws Error with the message of the parser if a file is not HCL */
export async function parseHcl(files: readonly string[]): Promise<Configuration> {
  const options = ['-c', script, ...files];
  const { code, stdout, stderr } = await runClient({
    command: python,
    options,
    environment: { HOME: homedir() },
  });
  if (code !== 0) throw new Error(stderr);
  const merged: Record<string, Block[]> = {};
  for (const file of JSON.parse(stdout) as readonly Readonly<Record<string, readonly Block[]>>[])
    for (const [kind, blocks] of Object.entries(file)) merged[kind] = [...(merged[kind] ?? []), ...blocks];
  return merged;
}

/** The blocks of a kind, by name. */
export const named = (configuration: Configuration, kind: string): ReadonlyMap<string, Block> =>
  new Map((configuration[kind] ?? []).flatMap((block) => Object.entries(block) as [string, Block][]));
