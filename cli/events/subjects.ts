import { InvalidArgumentError } from 'commander';

/** What the lines must concern; undefined: anything. */
export type Subjects = ReadonlySet<string> | undefined;

/** @throws InvalidArgumentError, which commander turns into a usage error. */
export function instanceId(text: string): string {
  if (/^i-[0-9a-f]{8,17}$/.test(text)) return text;
  throw new InvalidArgumentError('write the id of an instance, such as i-0123456789abcdef0');
}
