import { EKSClient } from '@aws-sdk/client-eks';
import { expect, it } from 'vitest';
import { readNewestUpdate } from '../../../cli/roll/nodegroup/read-updates.ts';

const nodegroup = { eksClusterName: 'prod', nodegroupName: 'blue' };

/** EKS with these updates, of which each page of the list has two. */
function eksWith(statuses: Readonly<Record<string, string>>): EKSClient {
  const ids = Object.keys(statuses);
  const send = async ({
    input: { updateId, nextToken = '0' },
  }: {
    readonly input: Record<string, string>;
  }) => {
    if (updateId !== undefined)
      return { update: { status: statuses[updateId], createdAt: new Date(ids.indexOf(updateId) * 1000) } };
    const end = Number(nextToken) + 2;
    const more = end < ids.length ? { nextToken: String(end) } : {};
    return { updateIds: ids.slice(Number(nextToken), end), ...more };
  };
  return Object.assign(new EKSClient({ region: 'eu-west-1' }), { send });
}

it('the update in progress is found on any page: the reference of EKS names no order', async () => {
  const eks = eksWith({ a: 'Successful', b: 'Failed', c: 'InProgress', d: 'Successful', e: 'Successful' });
  expect(await readNewestUpdate(eks, nodegroup)).toMatchObject({ id: 'c', status: 'InProgress' });
});

it('without one in progress, the newest of all pages is shown', async () => {
  const eks = eksWith({ a: 'Successful', b: 'Failed', c: 'Successful' });
  expect(await readNewestUpdate(eks, nodegroup)).toMatchObject({ id: 'c' });
  expect(await readNewestUpdate(eksWith({}), nodegroup)).toBeUndefined();
});
