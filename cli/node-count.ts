import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError, which commander turns into a usage error. */
export function nodeCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new InvalidArgumentError('write a whole number from 1 on, such as 6');
  return Number(text);
}
