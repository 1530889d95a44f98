import { describe, expect, test } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { withEtcd } from '../../local/deployment/with-etcd.ts';
import { stories } from '../support/stories/all.ts';
import { certificates } from '../support/stories/certificates.ts';
import { digest } from '../support/stories/digest.ts';
import { etcd, etcdProblem } from '../support/stories/etcd.ts';
import { givingBack } from '../support/stories/giving-back.ts';
import { holds, holdsOverHttp } from '../support/stories/holds.ts';
import { identity, identityInCluster } from '../support/stories/identity.ts';
import { joining } from '../support/stories/joining.ts';
import { leaving } from '../support/stories/leaving.ts';
import { nodegroups } from '../support/stories/nodegroups.ts';
import { refusedCertificate, shortHold } from '../support/stories/notifications.ts';
import { failure, hookNotification, rotation, scaling } from '../support/stories/others.ts';
import { podHolds, podHoldsFromZero } from '../support/stories/pod-holds.ts';
import { repair } from '../support/stories/repair.ts';
import { roll, rollEnded, rollLaunchingFirst, rollsOverHttp } from '../support/stories/roll.ts';
import { schedules, schedulesOverHttp } from '../support/stories/schedules.ts';
import { statusOverHttp } from '../support/stories/status.ts';
import type { Story } from '../support/stories/story.ts';
import { withRoleStatement } from '../support/wiring.ts';

/** Every statement of every role: what it is for, and the story that breaks without it. */
const statements: Readonly<Record<string, readonly [purpose: string, story: Story | 'not simulated']>> = {
  'intake OwnLogs': ['write its log', 'not simulated'],
  'intake Inbox': ['be invoked with what is in the inbox', leaving],
  'intake SendSubjects': ['send subjects to the passes, and park what it does not understand', leaving],
  'intake LookUp': ['distinguish the groups of this cluster from others', leaving],
  'heartbeats OwnLogs': ['write its log', 'not simulated'],
  'heartbeats OwnQueue': ['be invoked with waits, and hide and renew their messages', leaving],
  'heartbeats ParkWhatIsNotUnderstood': ['park what it does not understand', leaving],
  'heartbeats LookUp': ['see whether an instance still waits', leaving],
  'heartbeats ManagedGroupsOfThisCluster': ['keep hooks waiting', leaving],
  'node-leaving RequestHeartbeats': ['keep a wait whose event was lost', 'not simulated'],
  'node-joining RequestHeartbeats': ['keep a wait whose event was lost', 'not simulated'],
  'etcd-membership RequestHeartbeats': ['keep a wait whose event was lost', 'not simulated'],
  'node-leaving OwnLogs': ['write its log', 'not simulated'],
  'node-leaving OwnQueue': ['be invoked with subjects, and hide and renew their messages', leaving],
  'node-leaving ParkWhatIsNotUnderstood': ['park what it does not understand', leaving],
  'node-leaving ReadKubeconfig': ['reach the API server', leaving],
  'node-leaving DecryptKubeconfig': ['reach the API server', leaving],
  'node-leaving LookUp': ['read the lifecycle state of the instance', leaving],
  'node-leaving ManagedGroupsOfThisCluster': [
    'keep hooks waiting, complete them, hand instances back',
    leaving,
  ],
  'node-leaving TellPeople': ['notify of a node that leaves', leaving],
  'node-joining TellPeople': ['notify of an instance that has not joined', joining],
  'certificate-requests TellPeople': ['notify of a refused request', refusedCertificate],
  'prewarm TellPeople': ['notify of a hold that lacks nodes', shortHold],
  'node-joining OwnLogs': ['write its log', 'not simulated'],
  'node-joining OwnQueue': ['be invoked with subjects, and hide and renew their messages', joining],
  'node-joining ParkWhatIsNotUnderstood': ['park what it does not understand', joining],
  'node-joining ReadKubeconfigs': ['reach the API server', joining],
  'node-joining DecryptKubeconfigs': ['reach the API server', joining],
  'node-joining LookUp': ['read the lifecycle state of the instance', joining],
  'node-joining ReadConsoles': ['say why an instance has not joined', joining],
  'node-joining ManagedGroupsOfThisCluster': ['complete hooks', joining],
  'etcd-membership OwnLogs': ['write its log', 'not simulated'],
  'etcd-membership OwnQueue': ['be invoked with zones, and hide their messages', etcd],
  'etcd-membership ParkWhatIsNotUnderstood': ['park what it does not understand', etcd],
  'etcd-membership LookUp': ['see the groups, their hooks and their instances', etcd],
  'etcd-membership ManagedGroupsOfThisCluster': ['complete hooks', etcd],
  'etcd-membership OwnTag': ['show the problem of etcd on the group', etcdProblem],
  'etcd-membership OwnZone': ['read and change the records', etcd],
  'etcd-membership OwnChanges': ['know when name servers have them', etcd],
  'etcd-membership ReadClientCertificate': ['ask the members', etcd],
  'etcd-membership DecryptClientCertificate': ['ask the members', etcd],
  'etcd-membership ListSnapshots': ['know whether a snapshot is fresh', etcd],
  'etcd-membership TellMembers': ['set the state in which members start', etcd],
  'etcd-snapshot OwnLogs': ['write its log', 'not simulated'],
  'etcd-snapshot LookUp': ['find the members', etcd],
  'etcd-snapshot ReadClientCertificate': ['ask the members', etcd],
  'etcd-snapshot DecryptClientCertificate': ['ask the members', etcd],
  'etcd-snapshot ListSnapshots': ['know whether one is due', etcd],
  'etcd-snapshot KeepSnapshots': ['put one there, and take the old away', etcd],
  'prewarm OwnLogs': ['write its log', 'not simulated'],
  'prewarm OwnQueue': ['be invoked with groups, and send them to their passes', holds],
  'prewarm ParkWhatIsNotUnderstood': ['park what it does not understand', holds],
  'prewarm GiveEmptyNodesBack': ['send groups whose empty nodes are given back', givingBack],
  'prewarm ReadHoldsAndFloors': ['know the holds and what it has set', holds],
  'prewarm MakeHoldsOfSchedules': ['make the holds of schedules', schedules],
  'prewarm ReadSchedules': ['know what schedules ask for', schedules],
  'prewarm ListSchedules': ['know the schedules', schedules],
  'prewarm WriteFloors': ['write down what it sets', holds],
  'prewarm DeleteEndedHolds': ['put away what has ended', holds],
  'prewarm LookUp': ['see the bounds of groups', holds],
  'prewarm SizesOfManagedGroups': ['set the bounds of groups', holds],
  'prewarm NodeGroupsOfEks': ['set the bounds of node groups of EKS', nodegroups],
  'prewarm ReadKubeconfig': ['reach the API server', podHolds],
  'prewarm DecryptKubeconfig': ['reach the API server', podHolds],
  'prewarm WhatGroupsLaunch': ['plan for a group without a node', podHoldsFromZero],
  'roll TellPeople': ['notify people of what becomes of a roll', roll],
  'roll OwnLogs': ['write its log', 'not simulated'],
  'roll OwnQueue': ['be invoked for its steps, and send itself the next', roll],
  'roll ParkWhatIsNotUnderstood': ['park what it does not understand', roll],
  'roll ReadRolls': ['know the rolls', roll],
  'roll WriteWhatWasSeen': ['say how far a roll is', roll],
  'roll DeleteEndedRolls': ['put away what ended a week ago', rollEnded],
  'roll ReadKubeconfig': ['reach the API server', roll],
  'roll DecryptKubeconfig': ['reach the API server', roll],
  'roll LookUp': ['know what groups launch, and their instances', roll],
  'roll PublicImages': ['let EC2 resolve images of public parameters', 'not simulated'],
  'roll ReplaceInstances': ['replace instances', roll],
  'roll Alarms': ['see alarms that stop a roll', rollLaunchingFirst],
  'sweep OwnLogs': ['write its log', 'not simulated'],
  'sweep SendSubjects': ['send the subjects whose event was lost', leaving],
  'sweep ReadKubeconfig': ['reach the API server', leaving],
  'sweep DecryptKubeconfig': ['reach the API server', leaving],
  'sweep LookUp': ['see which instances wait', leaving],
  'sweep Repair': ['have the instances of failed nodes replaced', repair],
  'sweep TellPeople': ['send the digest of problems', digest],
  'sweep RememberDigest': ['know what the receivers know', digest],
  'sweep ReadHoldsAndFloors': ['find the problems of holds', digest],
  'sweep CountDeadLetters': ['find the problems of dead-letter queues', digest],
  'sweep Alarms': ['find the problems of raised alarms', digest],
  'sweep AgeOfCredentials': ['find a credential that is overdue', digest],
  'sweep ReadSchedules': ['find the problems of schedules', digest],
  'sweep ListSchedules': ['know the schedules', digest],
  'sweep ReadWarmPools': ['find the problems of warm pools', digest],
  'bootstrap-credential OwnLogs': ['write its log', 'not simulated'],
  'bootstrap-credential ReportFailure': ['leave a record when it fails for good', failure],
  'bootstrap-credential ReadKubeconfig': ['reach the API server', rotation],
  'bootstrap-credential DecryptKubeconfig': ['reach the API server', rotation],
  'bootstrap-credential PublishCredential': ['read and write the published credential', rotation],
  'bootstrap-credential EncryptCredential': ['read and write it encrypted', rotation],
  'certificate-requests OwnLogs': ['write its log', 'not simulated'],
  'certificate-requests ReadKubeconfig': ['reach the API server', certificates],
  'certificate-requests DecryptKubeconfig': ['reach the API server', certificates],
  'certificate-requests LookUp': ['compare requests with groups and instances', certificates],
  'scale-api OwnLogs': ['write its log', 'not simulated'],
  'scale-api ReadKubeconfig': ['reach the API server', scaling],
  'scale-api DecryptKubeconfig': ['reach the API server', scaling],
  'scale-api Holds': ['read and write holds', holdsOverHttp],
  'scale-api ReadRolls': ['read rolls', rollsOverHttp],
  'scale-api AskForRolls': ['begin, pause and abort rolls', rollsOverHttp],
  'scale-api ReplaceRolls': ['replace only what was read of a roll', rollsOverHttp],
  'scale-api LookUpForRolls': ['know which instances are old', rollsOverHttp],
  'scale-api PublicImages': ['let EC2 resolve images of public parameters', 'not simulated'],
  'scale-api WakeRolls': ['have what was asked for seen at once', rollsOverHttp],
  'scale-api AgeOfCredentials': ['say how old the published credentials are', statusOverHttp],
  'scale-api Alarms': ['find the problems of raised alarms', statusOverHttp],
  'scale-api CountDeadLetters': ['find the problems of dead-letter queues', statusOverHttp],
  'scale-api Floors': ['find the problems of floors', statusOverHttp],
  'scale-api MembersOfEtcd': ['say which members of etcd Drover knows', statusOverHttp],
  'scale-api LookUp': ['show groups', scaling],
  'scale-api ManagedGroupsOfThisCluster': ['set the desired capacity, and terminate instances', scaling],
  'scale-api SizesOfManagedGroups': ['raise MaxSize', scaling],
  'scale-api NodeGroupsOfEks': ['scale node groups of EKS, and report their status in EKS', nodegroups],
  'scale-api ListSchedules': ['know the schedules', schedulesOverHttp],
  'scale-api Schedules': ['read and change schedules', schedulesOverHttp],
  'scale-api ScheduleGroup': ['know what a schedule starts', schedulesOverHttp],
  'scale-api LetSchedulerStartPrewarm': ['give a schedule the role that starts prewarm', schedulesOverHttp],
  'token-webhook OwnLogs': ['write its log', 'not simulated'],
  'token-webhook ReadSecretAndMapping': ['know its callers, and who is who', identity],
  'token-webhook DecryptSecretAndMapping': ['read both', identity],
  'token-webhook ReadKubeconfig': ['read aws-auth in the cluster', identityInCluster],
  'token-webhook DecryptKubeconfig': ['read aws-auth in the cluster', identityInCluster],
  'token-webhook LookUpInstances': ['distinguish nodes from other instances', identity],
  'token-webhook LookUpProfiles': ['find the role of an instance', identity],
  'schedules StartPrewarm': ['let Scheduler start prewarm at the time of a schedule', schedules],
  'hook-notifications NotifyInbox': ['let hooks notify the inbox', hookNotification],
};

const deployment = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
const { roles } = withEtcd(deployment, { domain: 'etcd.example', zoneId: 'Z1', snapshotBucket: 'snapshots' });
const prefix = 'drover-dev-';

test('each story is one that test/stories.test.ts runs without faults', () => {
  const used = new Set(Object.values(statements).map(([, story]) => story));
  used.delete('not simulated');
  expect(stories).toEqual(expect.arrayContaining([...used]));
});

describe('the roles', () => {
  test('have no statement without a purpose', () => {
    const deployed = roles.flatMap(({ roleName, policies }) =>
      policies.flatMap(({ document }) =>
        document.Statement.map(({ Sid }) => `${roleName.replace(prefix, '')} ${String(Sid)}`),
      ),
    );
    expect(deployed.toSorted()).toEqual(Object.keys(statements).toSorted());
  });

  test.each(
    Object.entries(statements).flatMap(([statement, [purpose, story]]) =>
      story === 'not simulated' ? [] : [[statement, purpose, story] as const],
    ),
  )('need %s, to %s', async (statement, _, story) => {
    const [role = '', sid = ''] = statement.split(' ');
    expect(await story({ editWiring: withRoleStatement(`${prefix}${role}`, sid) })).not.toEqual([]);
  });
});
