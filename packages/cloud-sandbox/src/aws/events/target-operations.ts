import type {
  ListRuleNamesByTargetRequest,
  ListTargetsByRuleRequest,
  PutTargetsRequest,
  RemoveTargetsRequest,
  Target,
} from '@aws-sdk/client-eventbridge';
import { page, pageSize } from '../paging.ts';
import { eventsErrors } from './errors.ts';
import { checkBus, type EventsWorld, findRule } from './rules.ts';

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html */
const maximumTargets = 5;

const invalidToken = () => eventsErrors.validation('Invalid NextToken');

export const targetOperations = (world: EventsWorld) => ({
  PutTargets: (input: PutTargetsRequest) => {
    checkBus(world, input.EventBusName);
    const { targets } = findRule(world, input.Rule);
    const wanted = (input.Targets ?? []).map(checked);
    const ids = new Set([...targets.keys(), ...wanted.map(({ Id }) => Id)]);
    if (ids.size > maximumTargets) {
      throw eventsErrors.limitExceeded('The requested resource exceeds the maximum number allowed.');
    }
    for (const target of wanted) targets.set(target.Id ?? '', target);
    return { FailedEntryCount: 0, FailedEntries: [] };
  },
  RemoveTargets: (input: RemoveTargetsRequest) => {
    checkBus(world, input.EventBusName);
    const { targets } = findRule(world, input.Rule);
    const ids = input.Ids ?? [];
    const missing = ids.filter((id) => !targets.delete(id));
    const failed = missing.map((TargetId) => ({
      TargetId,
      ErrorCode: 'ResourceNotFoundException',
      ErrorMessage: `Rule ${input.Rule} does not have a target with the ID ${TargetId}.`,
    }));
    return { FailedEntryCount: failed.length, FailedEntries: failed };
  },
  ListTargetsByRule: (input: ListTargetsByRuleRequest) => {
    checkBus(world, input.EventBusName);
    const { items, nextToken } = page([...findRule(world, input.Rule).targets.values()], {
      nextToken: input.NextToken,
      size: pageSize(input.Limit, { default: 100, maximum: 100 }),
      invalidToken,
    });
    return { Targets: items, NextToken: nextToken };
  },
  ListRuleNamesByTarget: (input: ListRuleNamesByTargetRequest) => {
    checkBus(world, input.EventBusName);
    const rules = [...world.rules.values()].filter(({ targets }) =>
      [...targets.values()].some(({ Arn }) => Arn === input.TargetArn),
    );
    return { RuleNames: rules.map(({ name }) => name) };
  },
});

/** A FIFO queue needs a message group, and only one way to make the input may be given. */
function checked(target: Target): Target {
  const { Id, Arn = '' } = target;
  if (Id === undefined || !Arn.startsWith('arn:')) {
    throw eventsErrors.validation(
      `Parameter ${Arn} is not valid. Reason: Provided Arn is not in correct format.`,
    );
  }
  if (Arn.endsWith('.fifo') && target.SqsParameters?.MessageGroupId === undefined) {
    throw eventsErrors.validation(`Parameter(s) SqsParameters must be specified for target: ${Id}.`);
  }
  const inputs = [target.Input, target.InputPath, target.InputTransformer].filter(
    (input) => input !== undefined,
  );
  if (inputs.length > 1) {
    throw eventsErrors.validation(
      `Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`,
    );
  }
  return target;
}
