import { CreateTagsCommand, DeleteTagsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { hasCode } from '../../../../shared/aws/errors.ts';

/** Sets one tag of instances and deletes another: the new one first, so that a value is never lost. */
export async function moveInstanceTag(
  ec2: EC2Client,
  {
    from,
    to,
    values,
  }: { readonly from: string; readonly to: string; readonly values: ReadonlyMap<string, string> },
): Promise<void> {
  for (const [value, ids] of byValue(values))
    await onEach(ids, async (some) => {
      await ec2.send(new CreateTagsCommand({ Resources: [...some], Tags: [{ Key: to, Value: value }] }));
      await ec2.send(new DeleteTagsCommand({ Resources: [...some], Tags: [{ Key: from }] }));
    });
}

function byValue(values: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const [id, value] of values) ids.set(value, [...(ids.get(value) ?? []), id]);
  return ids;
}

/** EC2 takes 1,000 resources a call (API reference, CreateTags); fewer keep a failed call small. */
const idsPerCall = 200;

/** A call for an instance that is gone fails for all of its instances: the others are then changed one at a time. */
async function onEach(
  ids: readonly string[],
  change: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += idsPerCall) {
    const some = ids.slice(start, start + idsPerCall);
    try {
      await change(some);
    } catch (error) {
      if (!isGone(error)) throw error;
      for (const id of some) if (some.length > 1) await onEach([id], change);
    }
  }
}

const isGone = (error: unknown): boolean => hasCode(error, 'InvalidInstanceID.NotFound', 'InvalidID');
