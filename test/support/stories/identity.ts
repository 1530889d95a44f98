import { createDroverWorld } from '../../../local/world/drover-world.ts';
import {
  askWebhook,
  awsAuth,
  iamToken,
  launchWithProfile,
  mappingParameter,
  putParameter,
  reviewOf,
  roleNamed,
  secretParameter,
  webhookSecret,
} from '../../../local/world/identity-world.ts';
import { complaints, type Story } from './story.ts';

/** A node logs in with the token of its instance profile, through the token webhook. */
export const identity: Story = async (options) => {
  const world = createDroverWorld(options);
  putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
  const entry = `{rolearn: "arn:aws:iam::123456789012:role/node", username: "system:node:{{EC2PrivateDNSName}}"}`;
  putParameter(world, mappingParameter, `mapRoles: [${entry}]`, 'SecureString');
  roleNamed(world, 'node');
  const { id, name } = launchWithProfile(world, 'node');
  const token = await iamToken(world, { roleName: 'node', sessionName: id });
  const { statusCode, body } = await askWebhook(world, reviewOf(token));
  const username = body.status?.user?.username;
  const isIn = username === `system:node:${name}`;
  return [...(isIn ? [] : [`the webhook answered ${statusCode} with ${username}`]), ...complaints(world)];
};

/** A user logs in through an entry of the ConfigMap aws-auth in the cluster. */
export const identityInCluster: Story = async (options) => {
  const world = createDroverWorld(options);
  putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
  awsAuth(world, { mapRoles: `[{rolearn: "arn:aws:iam::123456789012:role/dev", username: dev}]` });
  const token = await iamToken(world, { roleName: 'dev', sessionName: 'ann' });
  const { statusCode, body } = await askWebhook(world, reviewOf(token));
  const username = body.status?.user?.username;
  const isIn = username === 'dev';
  return [...(isIn ? [] : [`the webhook answered ${statusCode} with ${username}`]), ...complaints(world)];
};
