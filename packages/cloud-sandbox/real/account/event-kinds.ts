import {
  DeleteRuleCommand,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  ListRolePoliciesCommand,
  paginateListRoles,
} from '@aws-sdk/client-iam';
import {
  DeleteScheduleCommand,
  DeleteScheduleGroupCommand,
  paginateListScheduleGroups,
  paginateListSchedules,
} from '@aws-sdk/client-scheduler';
import type { AccountClients } from './clients.ts';
import { collect, type Kind, unlessGone } from './kind.ts';
import { isNameIn, prefixOf } from './mark.ts';

/** The SDK has no paginator for them. */
async function* pagesOfRules({ events }: AccountClients, NamePrefix: string) {
  let NextToken: string | undefined;
  do {
    const page = await events.send(new ListRulesCommand({ NamePrefix, NextToken }));
    yield page;
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
}

/** A rule is deleted once it has no targets: https://github.com/rebuy-de/aws-nuke/issues/877 */
async function removeRule({ events }: AccountClients, Rule: string): Promise<void> {
  const { Targets = [] } = await events.send(new ListTargetsByRuleCommand({ Rule }));
  const Ids = Targets.flatMap(({ Id }) => Id ?? []);
  if (Ids.length > 0) await events.send(new RemoveTargetsCommand({ Rule, Ids }));
  await events.send(new DeleteRuleCommand({ Name: Rule }));
}

/** Rules of the default event bus. */
export const ruleKind: Kind = {
  name: 'rule',
  heldBy: ['stack'],
  list: (clients, scope) =>
    collect(pagesOfRules(clients, prefixOf(scope)), ({ Rules }) =>
      Rules?.map(({ Name }) => Name).filter((name) => isNameIn(scope, name)),
    ),
  remove: (clients, id) => unlessGone(removeRule(clients, id)),
};

/**
 * Schedules whose group is not that of a run. A schedule that has run stays unless it was made to delete itself
 * (https://github.com/fivexl/terraform-aws-sso-elevator/pull/130).
 */
export const scheduleKind: Kind = {
  name: 'schedule',
  list: ({ scheduler: client }, scope) =>
    collect(paginateListSchedules({ client }, { NamePrefix: prefixOf(scope) }), ({ Schedules }) =>
      Schedules?.filter(({ Name, GroupName }) => isNameIn(scope, Name) && !isNameIn({}, GroupName)).map(
        ({ Name, GroupName }) => `${GroupName}/${Name}`,
      ),
    ),
  remove: ({ scheduler }, id) => {
    const [GroupName, Name] = id.split('/');
    return unlessGone(scheduler.send(new DeleteScheduleCommand({ GroupName, Name })));
  },
};

/** A group takes its schedules with it. It is listed as DELETING until they are gone. */
export const scheduleGroupKind: Kind = {
  name: 'schedule group',
  heldBy: ['stack'],
  list: ({ scheduler: client }, scope) =>
    collect(paginateListScheduleGroups({ client }, { NamePrefix: prefixOf(scope) }), ({ ScheduleGroups }) =>
      ScheduleGroups?.map(({ Name }) => Name).filter((name) => isNameIn(scope, name)),
    ),
  remove: ({ scheduler }, id) => unlessGone(scheduler.send(new DeleteScheduleGroupCommand({ Name: id }))),
};

/** A role is deleted once it has no policies. */
async function removeRole({ iam }: AccountClients, RoleName: string): Promise<void> {
  const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
  for (const PolicyName of PolicyNames) await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
  await iam.send(new DeleteRoleCommand({ RoleName }));
}

/** Roles with inline policies only: a run attaches none. */
export const roleKind: Kind = {
  name: 'role',
  heldBy: ['stack'],
  list: ({ iam: client }, scope) =>
    collect(paginateListRoles({ client }, {}), ({ Roles }) =>
      Roles?.map(({ RoleName }) => RoleName).filter((name) => isNameIn(scope, name)),
    ),
  remove: (clients, id) => unlessGone(removeRole(clients, id)),
};
