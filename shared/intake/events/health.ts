import * as z from 'zod/mini';
import type { LeavingNotice } from '../../passes/leaving-notice.ts';
import { ignored, kind, notReadable } from './kind.ts';

/** An event of EventBridge has at most 256 KB, which is not enough for more entities. */
const mostEntities = 2000;

const healthSchema = () =>
  z.object({
    service: z.string().check(z.maxLength(64)),
    /** It identifies the change in every event about it. */
    eventArn: z.optional(z.unknown()),
    /** Whether it is a scheduled change. Other services may leave it out. */
    eventTypeCategory: z.optional(z.string().check(z.maxLength(64))),
    /** The region that the event is about. Without it the instances themselves show whether the event concerns this region. */
    eventRegion: z.optional(z.string().check(z.maxLength(32))),
    statusCode: z.optional(z.string().check(z.maxLength(32))),
    affectedEntities: z.optional(
      z
        .array(
          z.object({
            entityValue: z.string().check(z.maxLength(2048)),
            status: z.optional(z.string().check(z.maxLength(32))),
          }),
        )
        .check(z.maxLength(mostEntities)),
    ),
  });

type Health = z.infer<ReturnType<typeof healthSchema>>;

/**
 * AWS announces a scheduled change of instances, or reports that it has ended. Each entity is one instance. A notice has no deadline: AWS
 * moves and cancels scheduled changes. A long list is sent as several events, one for each
 * page, and each page can be read without the others. A copy for the backup region names the region that it is about (AWS Health
 * user guide, "Amazon EventBridge events").
 */
export const health = kind({
  schema: healthSchema,
  mean: (detail, { time, place }) => {
    if (detail.service === 'EC2' && detail.eventTypeCategory === undefined)
      return notReadable('detail.eventTypeCategory', 'missing');
    const reason = noConcern(detail, place.region);
    if (reason !== undefined) return ignored(reason);
    const change = typeof detail.eventArn === 'string' ? { change: detail.eventArn.slice(0, 512) } : {};
    const notices = instancesOf(detail).map(
      ({ instanceId, hasEnded }): LeavingNotice => ({
        cause: hasEnded ? 'change-ended' : 'scheduled-change',
        instanceId,
        noticedAt: time,
        ...change,
      }),
    );
    return notices.length > 0 ? { kind: 'leaving', notices } : ignored('it names no instance');
  },
});

function noConcern(detail: Health, region: string): string | undefined {
  if (detail.service !== 'EC2') return 'it is not about EC2';
  if (detail.eventTypeCategory !== 'scheduledChange') return 'it is not a scheduled change';
  if ((detail.eventRegion ?? region) !== region) return `it is about another region than ${region}`;
  return undefined;
}

/**
 * The instances among the entities, each once, and whether the change has ended for it: AWS has carried it out or cancelled it. An entity
 * is an instance id or an ARN, but may also be a volume, for example.
 */
function instancesOf({
  affectedEntities = [],
  statusCode,
}: Health): readonly { readonly instanceId: string; readonly hasEnded: boolean }[] {
  const ended = new Map<string, boolean>();
  for (const { entityValue, status } of affectedEntities) {
    const instanceId = /(?:^|:instance\/)(i-(?:[0-9a-f]{8}|[0-9a-f]{17}))$/.exec(entityValue)?.[1];
    const hasEnded = statusCode === 'closed' || status === 'RESOLVED';
    if (instanceId !== undefined) ended.set(instanceId, hasEnded && ended.get(instanceId) !== false);
  }
  return [...ended].map(([instanceId, hasEnded]) => ({ instanceId, hasEnded }));
}
