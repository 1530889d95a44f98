import * as z from 'zod/mini';
import { type NotificationKind, notificationKinds } from '../../shared/notifications/notification.ts';

const kinds = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]];
const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));

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
  cause: z.optional(text(100)),
  deadline: z.optional(z.iso.datetime()),
  reasons: z.optional(z.array(text(300)).check(z.maxLength(10))),
});

/** The text of schema.json: receivers ignore fields that they do not know. */
export const schemaText = (): string =>
  `${JSON.stringify(z.toJSONSchema(detailSchema, { io: 'input' }), null, 2)}\n`;
