import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { EtcdError } from '../../../shared/etcd/cluster.ts';
import type { SnapshotContent } from '../../../shared/etcd/snapshots/bucket.ts';
import type { Snapshot } from '../../../shared/etcd/snapshots/names.ts';
import { verified } from '../../../shared/etcd-api/etcd-snapshots.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { chunksUnlessInterrupted, type InterruptibleContext, unlessInterrupted } from '../../interruption.ts';
import { jsonText } from '../../json-text.ts';
import { isMissingFile } from '../../missing-file.ts';
import { chooseSnapshot, listSnapshots, snapshotStore } from './access.ts';
import type { BucketFlags } from './flags.ts';
import { type RestoreCommands, restoreCommands } from './restore-commands.ts';

export interface RestoreFlags extends BucketFlags {
  readonly clusterId?: string;
  readonly member: string;
  readonly domain?: string;
  readonly zone?: string;
  readonly out: string;
  readonly dataDir: string;
  readonly tls: boolean;
  readonly json?: true;
}

/** `drover etcd restore`: fetches a snapshot, makes sure that it is whole, and says what the first member must run. */
export async function restore(
  key: string | undefined,
  flags: RestoreFlags,
  context: InterruptibleContext,
): Promise<void> {
  const domain = flags.domain ?? context.environment.DROVER_ETCD_DOMAIN;
  if (!domain)
    throw new CliError('no discovery domain: give --domain, or set DROVER_ETCD_DOMAIN', exitCodes.usage);
  const store = snapshotStore(flags, context);
  const all = await unlessInterrupted(listSnapshots(store), context, unwritten(flags));
  const chosen = chooseSnapshot(all, { key, clusterId: flags.clusterId });
  const skipped = key === undefined ? laterThan(chosen, all) : [];
  if (skipped[0])
    context.stderr.write(
      `warning: ${skipped.length} later snapshots have a lower revision than ${chosen.key}, the newest is ${skipped[0].key}: an empty etcd may have taken the place of the cluster. Name one to restore it.\n`,
    );
  const database = verified(store.bucket.read(chosen.key));
  const content = await download(chunksUnlessInterrupted(database, context, unwritten(flags)), flags.out);
  const commands = restoreCommands({
    clusterName: store.clusterName,
    instanceId: flags.member,
    naming: { domain, services: flags.tls ? 'ssl' : 'plain' },
    dataDirectory: flags.dataDir,
    zoneId: flags.zone ?? context.environment.DROVER_ETCD_ZONE_ID,
    file: flags.out,
    now: context.clock.now(),
  });
  const result = { key: chosen.key, snapshotOf: chosen.clusterId, file: flags.out, ...content, ...commands };
  context.stdout.write(flags.json ? jsonText(result) : textOf(result, flags));
}

const unwritten = ({ out }: Pick<RestoreFlags, 'out'>): string =>
  `${out} was not written, and nothing else was changed`;

/** Later snapshots of the same cluster, newest first, without those that nothing vouches for. */
const laterThan = (chosen: Snapshot, newestFirst: readonly Snapshot[]): readonly Snapshot[] =>
  newestFirst
    .slice(0, newestFirst.indexOf(chosen))
    .filter(({ clusterId, doubt }) => clusterId === chosen.clusterId && doubt === undefined);

/** Writes the whole file or none: it gets its name once it is complete. Its mode is 0600, because it holds every Secret. */
async function download(chunks: AsyncIterable<Uint8Array>, out: string): Promise<SnapshotContent> {
  const part = `${out}.part`;
  try {
    await refuseExisting(out);
    await rm(part, { force: true });
    const content = await written(part, chunks);
    await rename(part, out);
    return content;
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof EtcdError) throw new CliError(error.message, exitCodes.failed, error);
    throw error;
  }
}

async function refuseExisting(path: string): Promise<void> {
  try {
    await (await open(path, 'r')).close();
  } catch (error) {
    if (isMissingFile(error)) return;
    throw error;
  }
  throw new CliError(`${path} exists and is not overwritten: give another file with --out`, exitCodes.failed);
}

async function written(path: string, chunks: AsyncIterable<Uint8Array>): Promise<SnapshotContent> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new CliError(`${path} cannot be written`, exitCodes.failed, cause);
  });
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

function textOf(
  result: RestoreCommands & SnapshotContent & { readonly key: string; readonly snapshotOf: string },
  { out, member }: Pick<RestoreFlags, 'out' | 'member'>,
): string {
  return `# ${result.key}, of cluster ${result.snapshotOf}: ${result.bytes} bytes, whole, in ${out}
# SHA-256 ${result.sha256}

# 1. Every member of the lost cluster must be stopped. Bring ${out} to ${member} and run there, as root:
${result.onInstance.join('\n')}

# 2. When it serves, say here that this is the cluster of the domain now.
#    Not drover etcd rebirth: that is for beginning again with an empty cluster.
${result.afterwards.join('\n')}

# 3. The other instances then join it one by one. Terminate those of the lost cluster, or run there, as root:
${result.onOthers.join('\n')}

# An API server on any of these instances must be restarted then: it remembers what it read before.
`;
}
