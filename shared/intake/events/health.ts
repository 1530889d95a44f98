import * as z from 'zod/mini';
import type { LeavingNotice } from '../../passes/leaving-notice.ts';
import { ignored, kind, notReadable } from './kind.ts';

/** An event of EventBridge has at most 256 KB, which is not enough for more entities. */
const mostEntities = 2000;

const healthSchema = () =>
  z.object({
    service: z.string().check(z.maxLength(64)),
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
 * AWS announces a scheduled change of instances. Each entity is one instance. A long list is sent as several events, one for each
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
    const notices = instancesOf(detail).map((id) => noticeOf(id, time));
    return notices.length > 0 ? { kind: 'leaving', notices } : ignored('it names no instance');
  },
});

function noConcern(detail: Health, region: string): string | undefined {
  if (detail.service !== 'EC2') return 'it is not about EC2';
  if (detail.eventTypeCategory !== 'scheduledChange') return 'it is not a scheduled change';
  if ((detail.eventRegion ?? region) !== region) return `it is about another region than ${region}`;
  if (detail.statusCode === 'closed') return 'the scheduled change is over';
  return undefined;
}

/** The instances among the entities, each once. An entity is an instance id or an ARN, but may also be a volume, for example. */
function instancesOf({ affectedEntities = [] }: Health): readonly string[] {
  const ids = affectedEntities
    .filter((entity) => entity.status !== 'RESOLVED')
    .map((entity) => /(?:^|:instance\/)(i-(?:[0-9a-f]{8}|[0-9a-f]{17}))$/.exec(entity.entityValue)?.[1]);
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** The notice has no deadline: AWS moves and cancels scheduled changes, and also reports them when they are over. */
const noticeOf = (instanceId: string, noticedAt: string): LeavingNotice => ({
  cause: 'scheduled-change',
  instanceId,
  noticedAt,
});
