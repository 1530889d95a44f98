import { readPolicy } from '../iam/policy.ts';
import { AwsError } from '../service.ts';
import type { AttributeRule } from './attributes.ts';

const range = (minimum: number, maximum: number): AttributeRule['accepts'] => {
  return (value) => /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
};

const boolean: AttributeRule['accepts'] = (value) => value === 'true' || value === 'false';

const oneOf =
  (...allowed: readonly string[]): AttributeRule['accepts'] =>
  (value) =>
    allowed.includes(value);

const json: AttributeRule['accepts'] = (value) => {
  if (value === '') return true;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};

/** A policy that IAM cannot read is refused when it is set, not when it is asked. */
const policy: AttributeRule['accepts'] = (value) => {
  if (value === '') return true;
  try {
    return readPolicy(value, 'resource').length > 0;
  } catch (error) {
    if (error instanceof AwsError) return false;
    throw error;
  }
};

/** The attributes that can be set, with their ranges and defaults (Amazon SQS API Reference, SetQueueAttributes). */
export const attributeRules: Readonly<Record<string, AttributeRule>> = {
  DelaySeconds: { accepts: range(0, 900), initially: '0' },
  MaximumMessageSize: { accepts: range(1024, 1_048_576), initially: '1048576' },
  MessageRetentionPeriod: { accepts: range(60, 1_209_600), initially: '345600' },
  ReceiveMessageWaitTimeSeconds: { accepts: range(0, 20), initially: '0' },
  VisibilityTimeout: { accepts: range(0, 43_200), initially: '30' },
  Policy: { accepts: policy },
  RedrivePolicy: { accepts: json },
  RedriveAllowPolicy: { accepts: json },
  KmsMasterKeyId: { accepts: () => true },
  KmsDataKeyReusePeriodSeconds: { accepts: range(60, 86_400) },
  SqsManagedSseEnabled: { accepts: boolean, initially: 'true' },
  FifoQueue: { accepts: oneOf('true'), fifoOnly: true },
  ContentBasedDeduplication: { accepts: boolean, initially: 'false', fifoOnly: true },
  DeduplicationScope: { accepts: oneOf('messageGroup', 'queue'), initially: 'queue', fifoOnly: true },
  FifoThroughputLimit: {
    accepts: oneOf('perQueue', 'perMessageGroupId'),
    initially: 'perQueue',
    fifoOnly: true,
  },
};
