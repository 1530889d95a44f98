import { AwsError } from '../service.ts';
import { attributeRules } from './attribute-rules.ts';
import { invalidAttributeValue } from './errors.ts';

export interface AttributeRule {
  readonly accepts: (value: string) => boolean;
  readonly initially?: string;
  readonly fifoOnly?: boolean;
}

/** The attributes of a new queue: what was asked for over the defaults. */
export const withDefaults = (fifo: boolean, asked: Readonly<Record<string, string>>): Map<string, string> => {
  const defaults = Object.entries(attributeRules).flatMap(
    ([name, rule]): Array<[string, string]> =>
      rule.initially === undefined || (rule.fifoOnly === true && !fifo) ? [] : [[name, rule.initially]],
  );
  return new Map([...defaults, ...Object.entries(asked)]);
};

/** Throws InvalidAttributeName or InvalidAttributeValue for what SQS would not take on such a queue. */
export function checkAttributes(fifo: boolean, asked: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(asked)) {
    const rule = Object.hasOwn(attributeRules, name) ? attributeRules[name] : undefined;
    if (rule === undefined || (rule.fifoOnly === true && !fifo)) {
      throw new AwsError({ code: 'InvalidAttributeName', message: `Unknown Attribute ${name}.` });
    }
    if (!rule.accepts(value)) throw invalidAttributeValue(name);
  }
}

/** "perMessageGroupId is allowed only when the value for DeduplicationScope is messageGroup" (SetQueueAttributes). */
export function checkThroughput(attributes: ReadonlyMap<string, string>): void {
  const perGroup = attributes.get('FifoThroughputLimit') === 'perMessageGroupId';
  if (!perGroup || attributes.get('DeduplicationScope') === 'messageGroup') return;
  throw invalidAttributeValue(
    'FifoThroughputLimit',
    ' perMessageGroupId is allowed only when DeduplicationScope is messageGroup.',
  );
}
