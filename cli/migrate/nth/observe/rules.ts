import {
  DescribeRuleCommand,
  type EventBridgeClient,
  ListRuleNamesByTargetCommand,
  ListTargetsByRuleCommand,
} from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import { parseJson } from '../../../../shared/base/parse-json.ts';
import type { QueueRule } from '../observation.ts';

/** The rules of the default bus that send events to a queue. */
export async function rulesOfQueue(
  events: EventBridgeClient,
  queueArn: string,
): Promise<readonly QueueRule[]> {
  const rules: QueueRule[] = [];
  let NextToken: string | undefined;
  do {
    const page = await events.send(new ListRuleNamesByTargetCommand({ TargetArn: queueArn, NextToken }));
    for (const name of page.RuleNames ?? []) rules.push(await readRule(events, name, queueArn));
    NextToken = page.NextToken;
  } while (NextToken);
  return rules;
}

async function readRule(events: EventBridgeClient, name: string, queueArn: string): Promise<QueueRule> {
  const [{ EventPattern = '' }, { Targets = [] }] = await Promise.all([
    events.send(new DescribeRuleCommand({ Name: name })),
    // A rule has at most five targets (EventBridge quotas).
    events.send(new ListTargetsByRuleCommand({ Rule: name })),
  ]);
  return {
    name,
    detailTypes: detailTypesOf(EventPattern),
    targetIds: Targets.filter(({ Arn }) => Arn === queueArn).flatMap(({ Id }) => Id ?? []),
    hasOtherTargets: Targets.some(({ Arn }) => Arn !== queueArn),
  };
}

const patternSchema = z.object({ 'detail-type': z.array(z.string()) });

/** Undefined if the pattern does not list the detail types as texts: it may take any. Pure. */
export function detailTypesOf(pattern: string): readonly string[] | undefined {
  const result = z.safeParse(patternSchema, parseJson(pattern));
  return result.success ? result.data['detail-type'] : undefined;
}
