import { CreateOrUpdateTagsCommand } from '@aws-sdk/client-auto-scaling';
import { CreateAccessEntryCommand } from '@aws-sdk/client-eks';
import { hasCode, isContended } from '../../shared/aws/errors.ts';
import { putLifecycleHook } from '../../shared/aws/lifecycle-hooks.ts';
import { type Api, isSuccess, nameOf, pathOf } from '../../shared/kubernetes/api.ts';
import { errorOf, isConflict, KubernetesError } from '../../shared/kubernetes/status.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext } from '../interruption.ts';
import type { AdoptAccess } from './access.ts';
import { awsAuthWith, mapRolesPatch } from './as/commands.ts';
import { collectionPath, objectPath } from './kubernetes-paths.ts';
import { type MadeVersions, makeVersion, moveGroup } from './launches.ts';
import type { KubernetesObject } from './plan/observation.ts';
import type { Action, Plan, Step } from './plan/step.ts';

type Access = Pick<AdoptAccess, 'autoScaling' | 'ec2' | 'eks' | 'api'>;

interface Executed {
  readonly done: readonly Step[];
  /** The last plan: what it refuses or remarks may be new since the first one. */
  readonly plan: Plan;
}

/**
 * Does the steps in their order. It may be killed at any point: the next plan has what is left. The approvers of certificates are planned again
 * right before they are taken away, because a node may have joined outside managed groups meanwhile. Ctrl-C ends it between two steps.
 *
 * @throws CliError that names the step which failed.
 */
export async function execute(
  plan: Plan,
  planNow: () => Promise<Plan>,
  access: Access,
  {
    onDone,
    ...context
  }: { readonly onDone: (step: Step) => void } & Pick<InterruptibleContext, 'interrupted'>,
): Promise<Executed> {
  const done: Step[] = [];
  const made: MadeVersions = new Map();
  const doAll = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) {
      const count = plan.steps.length;
      endIfInterrupted(
        context,
        `${done.length} of ${counted(count, 'step')} ${done.length === 1 ? 'was' : 'were'} done; run the command again to continue`,
      );
      await doUnlessDone(step, { planNow, access, made });
      done.push(step);
      onDone(step);
    }
  };
  await doAll(plan.steps.filter((step) => !isHandOver(step)));
  if (!plan.steps.some(isHandOver)) return { done, plan };
  const later = await planNow();
  await doAll(later.steps.filter(isHandOver));
  return { done, plan: { ...later, notices: [...new Set([...plan.notices, ...later.notices])] } };
}

const isHandOver = ({ actions }: Step): boolean => actions.some(({ kind }) => kind === 'delete-binding');

interface Doing {
  readonly planNow: () => Promise<Plan>;
  readonly access: Access;
  readonly made: MadeVersions;
}

/**
 * Does a step. If something else has changed the object since the plan, it is planned again: a second run may have done the same. A change of
 * someone else is not built upon, because the operator has not seen it.
 */
export async function doUnlessDone(step: Step, { planNow, access, made }: Doing): Promise<void> {
  try {
    await doStep(step, access, made);
  } catch (error) {
    const mayBeDone = error instanceof CliError && isOutdated(error);
    if (!mayBeDone || (await planNow()).steps.some(({ id }) => id === step.id)) throw error;
  }
}

/** 422 is how an API server answers a JSON patch whose test fails. */
const isOutdated = ({ cause }: { readonly cause?: unknown }): boolean =>
  isConflict(cause) || (cause instanceof KubernetesError && cause.statusCode === 422);

async function doStep({ subject, actions }: Step, access: Access, made: MadeVersions): Promise<void> {
  try {
    for (const action of actions) await perform(action, access, made);
  } catch (cause) {
    throw new CliError(
      `${subject} was not changed${isContended(cause) ? ', because AWS is in the middle of another change' : ''}. What was done before it stays; run the command again to continue`,
      exitCodes.failed,
      cause,
    );
  }
}

async function perform(
  action: Action,
  { autoScaling, ec2, eks, api }: Access,
  made: MadeVersions,
): Promise<void> {
  switch (action.kind) {
    case 'set-tags':
      await autoScaling.client.send(
        new CreateOrUpdateTagsCommand({
          Tags: action.tags.map(({ key, value, propagates }) => ({
            ResourceId: action.group,
            ResourceType: 'auto-scaling-group',
            Key: key,
            Value: value,
            PropagateAtLaunch: propagates,
          })),
        }),
      );
      return;
    case 'put-hook':
      return await putLifecycleHook(autoScaling.client, {
        autoScalingGroupName: action.group,
        ...action.hook,
      });
    case 'apply':
      return await apply(api, action.object);
    case 'create-entry':
      return await createEntry(action, { eks });
    case 'map-roles':
      return await mapRoles(api, action);
    case 'make-version':
      return await makeVersion(ec2, action, made);
    case 'move-group':
      return await moveGroup(autoScaling.client, action, made);
    case 'annotate-node':
      // A Node that is gone has no certificate to renew.
      await send(
        api,
        {
          method: 'PATCH',
          path: `/api/v1/nodes${pathOf(action.name)}`,
          contentType: 'application/merge-patch+json',
          body: { metadata: { annotations: { [action.key]: action.value } } },
        },
        404,
      );
      return;
    case 'delete-binding':
      await send(
        api,
        {
          method: 'DELETE',
          path: objectPath({
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRoleBinding',
            metadata: { name: action.name },
          }),
        },
        404,
      );
      return;
  }
}

/** Creates the object, or changes the fields of the one that is there: labels and annotations of others stay. */
async function apply(api: Api, object: KubernetesObject): Promise<void> {
  const path = collectionPath(object);
  if ((await send(api, { method: 'POST', path, body: object }, 409)) !== 409) return;
  const { apiVersion: _version, kind: _kind, metadata: _metadata, roleRef: _role, ...fields } = object;
  await send(api, {
    method: 'PATCH',
    path: objectPath(object),
    contentType: 'application/merge-patch+json',
    body: fields,
  });
}

/** Rejects if someone else has made or changed the mapping meanwhile: its roles would be lost. */
async function mapRoles(api: Api, { before, after }: Extract<Action, { kind: 'map-roles' }>): Promise<void> {
  const object = awsAuthWith(after);
  await send(
    api,
    before === undefined
      ? { method: 'POST', path: collectionPath(object), body: object }
      : {
          method: 'PATCH',
          path: objectPath(object),
          contentType: 'application/json-patch+json',
          body: mapRolesPatch(before, after),
        },
  );
}

/** An entry that another run has made meanwhile is as wanted, or the next plan refuses it. */
async function createEntry(
  { clusterName, principalArn, groups }: Extract<Action, { kind: 'create-entry' }>,
  { eks }: Pick<Access, 'eks'>,
): Promise<void> {
  try {
    await eks.send(
      new CreateAccessEntryCommand({
        clusterName,
        principalArn,
        ...(groups ? { kubernetesGroups: [...groups] } : { type: 'EC2_LINUX' }),
      }),
    );
  } catch (error) {
    if (!hasCode(error, 'ResourceInUseException')) throw error;
  }
}

/** Resolves with the status if it is a success or the one that is allowed. */
async function send(api: Api, request: Parameters<Api['exchange']>[0], allowed?: number): Promise<number> {
  const response = await api.exchange(request);
  if (!isSuccess(response) && response.status !== allowed) throw errorOf(nameOf(request), response);
  return response.status;
}
