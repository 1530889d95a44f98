import { ssmClient } from '../../shared/aws/clients.ts';
import { createParameterStore } from '../../shared/aws/parameters.ts';
import type { ParameterStore } from '../../shared/credentials/parameter-store.ts';
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

export interface UploadFlags {
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

interface Upload {
  readonly name: string;
  readonly value: string;
  readonly keyId?: string;
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

/** Publishes the files of a folder as SecureStrings, each under its own name, and Drover's own credentials for etcd in one. */
export async function uploadPki(folder: string, flags: UploadFlags, context: CliContext): Promise<void> {
  const host = hostOf(context, environmentOf(flags, context));
  const files = await readFiles(folder, filesOf({ domain: 'any.example', apiServerNames: [] }));
  if (files.size === 0) throw new CliError(`there are no certificates in ${folder}`, exitCodes.failed);
  const uploads = uploadsOf(files, flags, flags.cluster ?? context.environment.DROVER_CLUSTER);
  const store = createParameterStore(ssmClient(awsConnection(host)));
  const changes = await changesOf(uploads, store);
  const others = changes.filter(({ change }) => change === 'change').map(({ upload }) => upload.name);
  if (others.length > 0 && !flags.overwrite && !flags.dryRun)
    throw new CliError(
      `nothing was uploaded: ${others.join(', ')} hold other values: give --overwrite to replace them`,
      exitCodes.failed,
    );
  context.stderr.write(defaultKeyWarning(changes));
  if (!flags.dryRun) await publish(changes, store);
  const rows = changes.map(({ upload, change }) => [
    upload.name,
    flags.dryRun ? `would ${change}` : words[change],
  ]);
  context.stdout.write(tableText([named('PARAMETER'), 'WHAT'], rows, viewOf(context.stdout)));
}

/** The policy of the account's default key cannot be changed, and lets every reader of a parameter decrypt it. */
function defaultKeyWarning(changes: readonly Planned[]): string {
  const names = changes
    .filter(({ upload, change }) => change !== 'keep' && upload.keyId === undefined)
    .map(({ upload }) => upload.name);
  const [first] = names;
  if (first === undefined) return '';
  const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return `warning: the account's default key encrypts ${first}${others}: every principal of the account that may read the parameters can decrypt them; give --kms-key and --client-kms-key\n`;
}

const words: Readonly<Record<Change, string>> = { create: 'created', change: 'changed', keep: 'kept' };

function uploadsOf(files: Files, flags: UploadFlags, cluster: string | undefined): readonly Upload[] {
  const prefix = flags.parameterPrefix ?? (cluster && `/drover/${cluster}/pki`);
  const clientName = flags.clientParameter ?? (cluster && etcdClientParameter(cluster));
  if (!prefix || !clientName)
    throw new CliError(
      'the cluster is missing: give --cluster, or --parameter-prefix and --client-parameter',
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
  readonly upload: Upload;
  readonly change: Change;
}

/** One after the other: Parameter Store takes few calls a second, and an upload is not in a hurry. */
async function changesOf(uploads: readonly Upload[], store: ParameterStore): Promise<readonly Planned[]> {
  const planned: Planned[] = [];
  for (const upload of uploads) {
    const before = await store.read(upload.name);
    planned.push({
      upload,
      change: before === undefined ? 'create' : before.value === upload.value ? 'keep' : 'change',
    });
  }
  return planned;
}

async function publish(changes: readonly Planned[], store: ParameterStore): Promise<void> {
  for (const { upload, change } of changes) {
    if (change !== 'keep') await withoutSecret(upload.value, () => store.write(upload));
  }
}
