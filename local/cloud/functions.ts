import { create as bootstrapCredential } from '../../functions/bootstrap-credential.ts';
import { create as certificateRequests } from '../../functions/certificate-requests.ts';
import { create as etcdMembership } from '../../functions/etcd-membership.ts';
import { create as etcdSnapshot } from '../../functions/etcd-snapshot.ts';
import { create as heartbeats } from '../../functions/heartbeats.ts';
import { create as intake } from '../../functions/intake.ts';
import { create as nodeJoining } from '../../functions/node-joining.ts';
import { create as nodeLeaving } from '../../functions/node-leaving.ts';
import { create as prewarm } from '../../functions/prewarm.ts';
import { create as roll } from '../../functions/roll.ts';
import { create as scaleApi } from '../../functions/scale-api.ts';
import { create as sweep } from '../../functions/sweep.ts';
import { create as tokenWebhook } from '../../functions/token-webhook.ts';
import type { CreateHandler } from '../../shared/runtime/host.ts';

/** Every function from its source, by the name that it has in serverless.yml. */
export const functionsFromSource = {
  'bootstrap-credential': bootstrapCredential,
  'certificate-requests': certificateRequests,
  'etcd-membership': etcdMembership,
  'etcd-snapshot': etcdSnapshot,
  intake,
  heartbeats,
  'node-joining': nodeJoining,
  'node-leaving': nodeLeaving,
  prewarm,
  roll,
  'scale-api': scaleApi,
  sweep,
  'token-webhook': tokenWebhook,
} as Readonly<Record<string, CreateHandler>>;
