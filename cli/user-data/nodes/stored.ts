import { ssmClient } from '../../../shared/aws/clients.ts';
import type { AwsConnection } from '../../../shared/aws/connection.ts';
import { missingParameters } from '../../../shared/aws/stored-names.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { bucketAt } from '../../pki/places.ts';
import { s3AddressOf } from '../../pki/s3-address.ts';
import type { NodeFlags } from './flags.ts';
import type { FlavourName } from './names.ts';

interface Command {
  readonly name: FlavourName;
  readonly flags: Pick<NodeFlags, 's3'>;
  readonly connection: AwsConnection;
}

/**
 * Makes sure that what an instance reads exists: it would wait for it until it gives up. No value is read.
 *
 * @throws CliError with what is missing, and the command that publishes it.
 */
export async function checkStored(
  names: readonly string[],
  { name, flags, connection }: Command,
): Promise<void> {
  const parameters = names.filter((one) => s3AddressOf(one) === undefined);
  const missing = [
    ...(parameters.length > 0 ? await missingParameters(ssmClient(connection), parameters) : []),
    ...(flags.s3 === undefined ? [] : await missingObjects(flags.s3, { names, connection })),
  ];
  if (missing.length === 0) return;
  const place = flags.s3 !== undefined && missing[0]?.startsWith(flags.s3) ? 'S3' : 'Parameter Store';
  throw new CliError(
    `${place} has no ${missing.join(', ')}: ${remedyFor(name, missing)}; or give --no-check`,
    exitCodes.failed,
  );
}

/** The addresses among these below the place for which the bucket has no object. */
async function missingObjects(
  place: string,
  { names, connection }: { readonly names: readonly string[]; readonly connection: AwsConnection },
): Promise<readonly string[]> {
  const address = s3AddressOf(place);
  if (address === undefined) return [];
  const bucket = await bucketAt(address, {}, connection);
  const keys = await bucket.list(`${address.prefix}/`);
  const found = new Set(keys.map((key) => `s3://${address.bucket}/${key}`));
  return names.filter((one) => one.startsWith(`${place}/`) && !found.has(one));
}

function remedyFor(name: FlavourName, missing: readonly string[]): string {
  const to = missing.some((one) => one.startsWith('s3://')) ? ' --s3' : '';
  if (missing.some((one) => one.endsWith('/front-proxy-ca.key'))) return `run drover pki upload${to} --all`;
  if (missing.some((one) => one.includes('/pki/') || to !== '')) return `run drover pki upload${to}`;
  return name === 'openshift-3.11'
    ? 'publish it as docs/openshift-3.11.md says'
    : 'run drover rotate, which publishes the bootstrap credential, or name another one with --parameter';
}
