import { withoutSecret } from '../../shared/credentials/redact.ts';
import {
  encodeEtcdClientCredentials,
  etcdClientParameter,
  readEtcdClientCredentials,
} from '../../shared/etcd/client-credentials.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { named, viewOf } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { type Files, readFiles } from './folder.ts';
import { droverClientPath, filesOf } from './layout.ts';
import { type BucketFlags, type Places, placesOf, type StoredFile } from './places.ts';

export interface UploadFlags extends BucketFlags {
  readonly cluster?: string;
  readonly region?: string;
  readonly parameterPrefix?: string;
  readonly clientParameter?: string;
  readonly kmsKey?: string;
  readonly clientKmsKey?: string;
  readonly all?: true;
  readonly overwrite?: true;
  readonly dryRun?: true;
}

type Change = 'create' | 'change' | 'keep';

/** Files that no node needs: signing keys and credentials of users. The key of the authority `ca` is uploaded: the controller manager signs with it. */
const keptAtHome: readonly string[] = [
  'etcd/ca.key',
  'front-proxy-ca.key',
  'admin.crt',
  'admin.key',
  'super-admin.crt',
  'super-admin.key',
];

/**
 * Publishes the files of a folder, each under its own name: as SecureStrings, or as objects of an encrypted bucket. Drover's own credentials
 * for etcd are one SecureString in both cases, because etcd-membership reads them there.
 */
export async function uploadPki(folder: string, flags: UploadFlags, context: CliContext): Promise<void> {
  const host = hostOf(context, environmentOf(flags, context));
  const files = await readFiles(folder, filesOf({ domain: 'any.example', apiServerNames: [] }));
  if (files.size === 0) throw new CliError(`there are no certificates in ${folder}`, exitCodes.failed);
  const uploads = uploadsOf(files, flags, flags.cluster ?? context.environment.DROVER_CLUSTER);
  const store = await placesOf(flags, awsConnection(host));
  const changes = await changesOf(uploads, store);
  const others = changes.filter(({ change }) => change === 'change').map(({ upload }) => upload.name);
  if (others.length > 0 && !flags.overwrite && !flags.dryRun)
    throw new CliError(
      `nothing was uploaded: ${others.join(', ')} hold other values: give --overwrite to replace them`,
      exitCodes.failed,
    );
  context.stderr.write(defaultKeyWarning(changes, flags));
  if (!flags.dryRun) await publish(changes, store);
  const rows = changes.map(({ upload, change }) => [
    upload.name,
    flags.dryRun ? `would ${change}` : words[change],
  ]);
  context.stdout.write(
    tableText([named(flags.s3 === undefined ? 'PARAMETER' : 'NAME'), 'WHAT'], rows, viewOf(context.stdout)),
  );
}

/** With a default key no second right protects what is published: its policy cannot be changed, and S3's own encryption has none. */
function defaultKeyWarning(changes: readonly Planned[], { s3 }: BucketFlags): string {
  const names = changes
    .filter(({ upload, change }) => change !== 'keep' && upload.keyId === undefined)
    .map(({ upload }) => upload.name);
  const [first] = names;
  if (first === undefined) return '';
  const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return s3 === undefined
    ? `warning: the account's default key encrypts ${first}${others}: every principal of the account that may read the parameters can decrypt them; give --kms-key and --client-kms-key\n`
    : `warning: without --kms-key and --client-kms-key, the bucket and the account decide which key encrypts ${first}${others}: with their default keys, every principal that may read them can decrypt them\n`;
}

const words: Readonly<Record<Change, string>> = { create: 'created', change: 'changed', keep: 'kept' };

function uploadsOf(files: Files, flags: UploadFlags, cluster: string | undefined): readonly StoredFile[] {
  const prefix = flags.s3 ?? flags.parameterPrefix ?? (cluster && `/drover/${cluster}/pki`);
  if (flags.s3 !== undefined && flags.parameterPrefix !== undefined)
    throw new CliError('give --s3 or --parameter-prefix, not both', exitCodes.usage);
  if (flags.s3 === undefined && flags.bucketOwner !== undefined)
    throw new CliError('--bucket-owner belongs to --s3', exitCodes.usage);
  const clientName = flags.clientParameter ?? (cluster && etcdClientParameter(cluster));
  if (!prefix || !clientName)
    throw new CliError(
      'the cluster is missing: give --cluster, or --client-parameter and one of --parameter-prefix and --s3',
      exitCodes.usage,
    );
  const wanted = [...files].filter(
    ([path]) => !path.startsWith(droverClientPath) && (flags.all || !keptAtHome.includes(path)),
  );
  const client = clientCredentials(files);
  const clientKeyId = flags.clientKmsKey ?? flags.kmsKey;
  return [
    ...wanted.map(([path, value]) => ({
      name: `${prefix}/${path}`,
      value,
      ...(flags.kmsKey !== undefined && { keyId: flags.kmsKey }),
    })),
    ...(client === undefined
      ? []
      : [{ name: clientName, value: client, ...(clientKeyId !== undefined && { keyId: clientKeyId }) }]),
  ];
}

function clientCredentials(files: Files): string | undefined {
  const certificateAuthority = files.get('etcd/ca.crt');
  const clientCertificate = files.get(`${droverClientPath}.crt`);
  const clientKey = files.get(`${droverClientPath}.key`);
  if (!certificateAuthority || !clientCertificate || !clientKey) return undefined;
  const text = encodeEtcdClientCredentials({ certificateAuthority, clientCertificate, clientKey });
  // What the function could not read is not published.
  readEtcdClientCredentials(text);
  return text;
}

interface Planned {
  readonly upload: StoredFile;
  readonly change: Change;
}

/** One after the other: Parameter Store takes few calls a second, and an upload is not in a hurry. */
async function changesOf(uploads: readonly StoredFile[], store: Places): Promise<readonly Planned[]> {
  const planned: Planned[] = [];
  for (const upload of uploads) {
    const before = await store.read(upload.name);
    planned.push({
      upload,
      change: before === undefined ? 'create' : before === upload.value ? 'keep' : 'change',
    });
  }
  return planned;
}

async function publish(changes: readonly Planned[], store: Places): Promise<void> {
  for (const { upload, change } of changes) {
    if (change !== 'keep') await withoutSecret(upload.value, () => store.write(upload));
  }
}
