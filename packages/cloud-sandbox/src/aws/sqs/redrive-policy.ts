import * as z from 'zod/mini';
import { invalidValue } from './errors.ts';
import type { Queue } from './queue.ts';

const redrivePolicySchema = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
});

const redriveAllowPolicySchema = z.object({
  redrivePermission: z.enum(['allowAll', 'denyAll', 'byQueue']),
  sourceQueueArns: z.optional(z.array(z.string()).check(z.maxLength(10))),
});

export interface RedrivePolicy {
  readonly deadLetterTargetArn: string;
  readonly maxReceiveCount: number;
}

/** Where a policy does not say (SetQueueAttributes, RedrivePolicy). */
const defaultMaxReceiveCount = 10;

const attribute = 'RedrivePolicy';

/** What RedrivePolicy says; undefined without one. Throws InvalidParameterValue for what is none. */
export function parseRedrivePolicy(text: string | undefined): RedrivePolicy | undefined {
  if (text === undefined || text === '') return undefined;
  const parsed = redrivePolicySchema.safeParse(JSON.parse(text));
  if (parsed.success) {
    return { ...parsed.data, maxReceiveCount: parsed.data.maxReceiveCount ?? defaultMaxReceiveCount };
  }
  const reason = 'It needs a deadLetterTargetArn, and a maxReceiveCount between 1 and 1000.';
  throw invalidValue(attribute, text, reason);
}

/**
 * Throws unless the dead-letter queue exists, is of the same kind ("the dead-letter queue of a FIFO queue must also be a
 * FIFO queue") and lets this source in by its RedriveAllowPolicy.
 */
export function checkRedrive(source: Queue, text: string, target: Queue | undefined): void {
  if (target === undefined) throw invalidValue(attribute, text, 'Dead letter target does not exist.');
  if (target.fifo !== source.fifo) {
    throw invalidValue(attribute, text, 'Dead-letter queue must be same type of queue as the source.');
  }
  if (!allows(target, source.arn)) {
    throw invalidValue(attribute, text, 'Dead letter target does not allow this source queue.');
  }
}

function allows(target: Queue, sourceArn: string): boolean {
  const text = target.attributes.get('RedriveAllowPolicy');
  if (text === undefined || text === '') return true;
  const policy = redriveAllowPolicySchema.safeParse(JSON.parse(text));
  if (!policy.success || policy.data.redrivePermission === 'allowAll') return true;
  return (
    policy.data.redrivePermission === 'byQueue' && policy.data.sourceQueueArns?.includes(sourceArn) === true
  );
}
