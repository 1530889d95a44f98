import * as z from 'zod/mini';
import { type NotificationKind, notificationKinds } from '../../shared/notifications/notification.ts';

const kinds = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]];
const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));

const named = { kind: text(100), subject: z.string().check(z.maxLength(500)) };
const nullable = (longest: number) => z.nullable(z.string().check(z.maxLength(longest)));
const listOf = <Item extends z.ZodMiniType>(item: Item) => z.optional(z.array(item));

/** A problem of a digest. A later version may add kinds: treat an unknown one as a problem. */
const problem = z.object({
  ...named,
  severity: z.enum(['critical', 'warning']),
  since: nullable(100),
  message: z.string().check(z.maxLength(500)),
  command: nullable(500),
  document: text(200),
  alarm: nullable(200),
  change: z.optional(z.enum(['new', 'severity'])),
  begins: z.optional(z.number().check(z.minimum(2))),
});

/** The `detail` of Drover's own events, version 1: docs/notifications.md. */
export const detailSchema = z.object({
  version: z.literal(1),
  id: text(1000),
  cluster: text(100),
  kind: z.enum(kinds),
  severity: z.enum(['info', 'warning']),
  message: text(1000),
  repeats: z.optional(z.number().check(z.minimum(1))),
  autoScalingGroupName: z.optional(text(255)),
  instanceId: z.optional(z.string().check(z.regex(/^i-[0-9a-f]{8,17}$/))),
  nodeName: z.optional(text(253)),
  roll: z.optional(text(64)),
  cause: z.optional(text(100)),
  deadline: z.optional(z.iso.datetime()),
  reasons: z.optional(z.array(text(300)).check(z.maxLength(10))),
  problems: listOf(problem),
  more: z.optional(z.number().check(z.minimum(1))),
  ended: listOf(z.object(named)),
  away: listOf(z.object(named)),
  unread: listOf(z.string().check(z.maxLength(500))),
  notLookedAt: listOf(z.string().check(z.maxLength(500))),
});

/** The text of schema.json: receivers ignore fields that they do not know. */
export const schemaText = (): string =>
  `${JSON.stringify(z.toJSONSchema(detailSchema, { io: 'input' }), null, 2)}\n`;
