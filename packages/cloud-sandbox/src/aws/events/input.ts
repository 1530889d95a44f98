import type { InputTransformer, Target } from '@aws-sdk/client-eventbridge';
import type { EventEnvelope } from './envelope.ts';
import { isRecord, type Json } from './json.ts';

export interface RuleReference {
  readonly name: string;
  readonly arn: string;
}

/**
 * What a target is sent: its constant, a part of the event, what its transformer makes, or the whole event.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export function targetInput(target: Target, event: EventEnvelope, rule: RuleReference): string {
  if (target.Input !== undefined) return target.Input;
  if (target.InputPath !== undefined) return JSON.stringify(atPath(event, target.InputPath) ?? null);
  if (target.InputTransformer !== undefined) return transform(target.InputTransformer, event, rule);
  return JSON.stringify(event);
}

const placeholder = /<([\w.-]+)>/g;

/** A placeholder inside quotes becomes bare text, outside it becomes JSON; a path that leads nowhere becomes nothing. */
function transform(transformer: InputTransformer, event: EventEnvelope, rule: RuleReference): string {
  const values = valuesOf(transformer, event, rule);
  const template = transformer.InputTemplate ?? '';
  return template.replaceAll(placeholder, (written, name: string, position: number) => {
    if (!values.has(name)) return written;
    const value = values.get(name);
    if (value === undefined) return '';
    return isInsideQuotes(template, position) ? bare(value) : JSON.stringify(value);
  });
}

function valuesOf(
  transformer: InputTransformer,
  event: EventEnvelope,
  rule: RuleReference,
): Map<string, Json | undefined> {
  const paths = Object.entries(transformer.InputPathsMap ?? {});
  const withoutDetail = { ...event, detail: undefined };
  return new Map<string, Json | undefined>([
    ...paths.map(([name, path]) => [name, atPath(event, path)] as const),
    ['aws.events.event', asJson(withoutDetail)],
    ['aws.events.event.json', asJson(event)],
    ['aws.events.event.ingestion-time', event.time],
    ['aws.events.rule-name', rule.name],
    ['aws.events.rule-arn', rule.arn],
  ]);
}

const asJson = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Is the position within a JSON string of the template? */
function isInsideQuotes(template: string, position: number): boolean {
  const quotes = template.slice(0, position).replaceAll(String.raw`\"`, '').split('"').length - 1;
  return quotes % 2 === 1;
}

const bare = (value: Json): string =>
  typeof value === 'string'
    ? JSON.stringify(value).slice(1, -1)
    : JSON.stringify(value).replaceAll('"', String.raw`\"`);

/** `$.detail.instance-id`, `$.resources[0]`: the JSON paths that EventBridge takes. */
function atPath(event: EventEnvelope, path: string): Json | undefined {
  const steps = path.replace(/^\$\.?/, '').match(/[^.[\]]+/g) ?? [];
  return steps.reduce<Json | undefined>((value, step) => stepInto(value, step), asJson(event));
}

function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)] as Json | undefined;
  return isRecord(value) ? value[step] : undefined;
}
