import { globSync, readFileSync } from 'node:fs';

/** Every operation of AWS that Drover calls: the commands of the SDK in its adapters and in its CLI. */
export function operationsOfDrover(): readonly string[] {
  const sources = globSync('{shared,cli}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const commands = sources.flatMap((source) => [...source.matchAll(/new ([A-Z]\w+)Command\(/g)]);
  return [...new Set(commands.map(([, name = '']) => name)), 'GetCallerIdentity'].sort();
}
