import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { longestDomain } from '../../shared/etcd/names.ts';

/** RFC 1123: letters, digits and dashes, no dash at an end, 63 characters at most. */
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const isHostName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => labelPattern.test(label));

/**
 * Reads an etcd discovery domain, as members have it in `--discovery-srv`: lower case, without a dot at its end.
 *
 * @throws InvalidArgumentError, which commander turns into a usage error.
 */
export function discoveryDomain(text: string): string {
  const domain = text.toLowerCase().replace(/\.$/, '');
  if (!isHostName(domain) || !domain.includes('.') || isIP(domain))
    throw new InvalidArgumentError('write a DNS domain such as etcd.example.internal');
  if (domain.length > longestDomain)
    throw new InvalidArgumentError(
      `the names of its records would be longer than DNS allows: write at most ${longestDomain} characters`,
    );
  return domain;
}

/**
 * Reads names and addresses with commas between, for a certificate: host names, `*.` before one, IPv4 and IPv6.
 *
 * @throws InvalidArgumentError
 */
export function certificateNames(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const wrong = names.find((name) => isIP(name) === 0 && !isHostName(name.replace(/^\*\./, '')));
  if (wrong === undefined) return [...new Set(names)];
  throw new InvalidArgumentError(
    'write host names and addresses with commas between, such as api.example.com,10.0.0.1',
  );
}
