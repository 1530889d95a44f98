import type {
  DeleteRuleRequest,
  DescribeRuleRequest,
  DescribeRuleResponse,
  ListRulesRequest,
  PutRuleRequest,
  Rule as RuleShape,
} from '@aws-sdk/client-eventbridge';
import { page, pageSize } from '../paging.ts';
import { armSchedule } from './dispatch.ts';
import { eventsErrors } from './errors.ts';
import { compilePattern } from './pattern.ts';
import { checkBus, defaultBus, type EventsWorld, findRule, type Rule } from './rules.ts';
import { parseSchedule, type Schedule, unitAgrees } from './schedule-expression.ts';

export interface Named {
  readonly Name: string | undefined;
  readonly EventBusName?: string | undefined;
}

export const ruleOperations = (world: EventsWorld) => ({
  PutRule: (input: PutRuleRequest) => {
    checkBus(world, input.EventBusName);
    const rule = newRule(world, input);
    world.rules.get(rule.name)?.timer?.cancel();
    world.rules.set(rule.name, rule);
    armSchedule(world, rule);
    return { RuleArn: rule.arn };
  },
  /** Deleting what is not there is no error, deleting a rule with targets is. */
  DeleteRule: (input: DeleteRuleRequest): Record<string, never> => {
    checkBus(world, input.EventBusName);
    const rule = world.rules.get(input.Name ?? '');
    if (rule === undefined) return {};
    if (rule.targets.size > 0) throw eventsErrors.validation("Rule can't be deleted since it has targets.");
    rule.timer?.cancel();
    world.rules.delete(rule.name);
    return {};
  },
  EnableRule: (input: Named): Record<string, never> => setState(world, input, 'ENABLED'),
  DisableRule: (input: Named): Record<string, never> => setState(world, input, 'DISABLED'),
  DescribeRule: (input: DescribeRuleRequest): DescribeRuleResponse => {
    checkBus(world, input.EventBusName);
    return { ...toRule(findRule(world, input.Name)), CreatedBy: world.accountId };
  },
  ListRules: (input: ListRulesRequest) => {
    checkBus(world, input.EventBusName);
    const asked = [...world.rules.values()].filter(({ name }) => name.startsWith(input.NamePrefix ?? ''));
    const { items, nextToken } = page(asked, {
      nextToken: input.NextToken,
      size: pageSize(input.Limit, { default: 100, maximum: 100 }),
      invalidToken: () => eventsErrors.validation('Invalid NextToken'),
    });
    return { Rules: items.map(toRule), NextToken: nextToken };
  },
});

function newRule(world: EventsWorld, input: PutRuleRequest): Rule {
  const { Name: name, EventPattern: eventPattern, ScheduleExpression: scheduleExpression } = input;
  if (name === undefined || !/^[\w.-]{1,64}$/.test(name)) {
    throw eventsErrors.validation(
      `Value '${name}' at 'name' failed to satisfy constraint: [.\\-_A-Za-z0-9]+, 1 to 64`,
    );
  }
  if (eventPattern === undefined && scheduleExpression === undefined) {
    throw eventsErrors.validation('Parameter(s) EventPattern or ScheduleExpression must be specified.');
  }
  const before = world.rules.get(name);
  return {
    name,
    arn: `arn:aws:events:${world.region}:${world.accountId}:rule/${name}`,
    eventPattern,
    test: eventPattern === undefined ? undefined : compilePattern(eventPattern),
    scheduleExpression,
    schedule: scheduleExpression === undefined ? undefined : checkedSchedule(scheduleExpression),
    description: input.Description,
    roleArn: input.RoleArn,
    targets: before?.targets ?? new Map(),
    tags: new Map((input.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value])),
    metrics: before?.metrics ?? { matched: 0, delivered: 0, deadLettered: 0, dropped: 0 },
    state: input.State ?? 'ENABLED',
    timer: undefined,
  };
}

function checkedSchedule(expression: string): Schedule {
  const schedule = parseSchedule(expression);
  if (schedule === undefined || schedule.kind === 'at' || !unitAgrees(expression)) {
    throw eventsErrors.validation('Parameter ScheduleExpression is not valid.');
  }
  return schedule;
}

function setState(world: EventsWorld, input: Named, state: 'ENABLED' | 'DISABLED'): Record<string, never> {
  checkBus(world, input.EventBusName);
  const rule = findRule(world, input.Name);
  if (rule.state !== state) {
    rule.state = state;
    armSchedule(world, rule);
  }
  return {};
}

function toRule(rule: Rule): RuleShape {
  return {
    Name: rule.name,
    Arn: rule.arn,
    EventPattern: rule.eventPattern,
    ScheduleExpression: rule.scheduleExpression,
    State: rule.state,
    Description: rule.description,
    RoleArn: rule.roleArn,
    EventBusName: defaultBus,
  };
}
