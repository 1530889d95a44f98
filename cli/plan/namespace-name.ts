import { InvalidArgumentError } from 'commander';
import { whyNotDnsLabel } from '../../shared/capacity/manifests/names.ts';

/** @throws InvalidArgumentError for what is not the name of a namespace, such as an unset variable, which would name all namespaces in a path. */
export function namespaceName(text: string): string {
  const why = text === '' ? 'it is empty' : whyNotDnsLabel(text);
  if (why === undefined) return text;
  throw new InvalidArgumentError(why);
}
