import { certificates } from './certificates.ts';
import { digest } from './digest.ts';
import { etcd, etcdProblem } from './etcd.ts';
import { givingBack } from './giving-back.ts';
import { holds, holdsOverHttp } from './holds.ts';
import { identity, identityInCluster } from './identity.ts';
import { joining } from './joining.ts';
import { leaving } from './leaving.ts';
import { nodegroups } from './nodegroups.ts';
import { refusedCertificate, shortHold } from './notifications.ts';
import { failure, hookNotification, rotation, scaling } from './others.ts';
import { podHolds, podHoldsFromZero } from './pod-holds.ts';
import { repair } from './repair.ts';
import { roll, rollEnded, rollLaunchingFirst, rollsOverHttp } from './roll.ts';
import { schedules, schedulesOverHttp } from './schedules.ts';
import { statusOverHttp } from './status.ts';
import type { Story } from './story.ts';
import { volumes } from './volumes.ts';

/** Every story. Each ends well with the rights of the deployment. */
export const stories: readonly Story[] = [
  certificates,
  digest,
  etcd,
  etcdProblem,
  givingBack,
  holds,
  holdsOverHttp,
  identity,
  identityInCluster,
  joining,
  leaving,
  nodegroups,
  podHolds,
  podHoldsFromZero,
  refusedCertificate,
  shortHold,
  failure,
  hookNotification,
  rotation,
  scaling,
  repair,
  roll,
  rollEnded,
  rollsOverHttp,
  rollLaunchingFirst,
  schedules,
  schedulesOverHttp,
  statusOverHttp,
  volumes,
];
