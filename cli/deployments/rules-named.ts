import { type EventBridgeClient, ListRulesCommand, type Rule } from '@aws-sdk/client-eventbridge';

/** The rules of the default bus whose names begin with a prefix, every page. */
export async function rulesNamed(events: EventBridgeClient, prefix: string): Promise<readonly Rule[]> {
  const rules: Rule[] = [];
  let NextToken: string | undefined;
  do {
    const page = await events.send(new ListRulesCommand({ NamePrefix: prefix, NextToken }));
    rules.push(...(page.Rules ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return rules;
}
