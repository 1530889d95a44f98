import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdoptionObservation } from '../../../../cli/etcd/adoption/observation.ts';
import { planAdoption } from '../../../../cli/etcd/adoption/plan.ts';
import { clusterId, id } from '../../../support/etcd/observations.ts';
import {
  certificate,
  clusterName,
  type Done,
  groupAt,
  instanceAt,
  naming,
  observed,
  readKubernetes,
} from './observed.ts';

const idsOf = (observation: AdoptionObservation): readonly string[] =>
  planAdoption(observation).steps.map((step) => step.id);
const reasonsOf = (observation: AdoptionObservation): string =>
  planAdoption(observation)
    .refusals.map(({ subject, reason, remedy }) => `${subject}: ${reason} (${remedy})`)
    .join('\n');

const ready = { url: true, certificates: true };
const adopted = { mark: { owner: clusterName, clusterId }, inTheWay: [] };
const groups = [1, 2, 3].map((number) => groupAt(number, true));

describe('the plan to adopt an etcd that exists', () => {
  it('changes members one at a time, the leader last, before Drover may act on their groups', () => {
    const plan = planAdoption(observed([{ status: { leads: true } }, {}, {}]));
    expect(plan.refusals).toEqual([]);
    expect(plan.steps.map((step) => step.id)).toEqual([
      'authority',
      'names',
      ...['2', '3', '1'].flatMap((member) => [`certificates/${member}`, `peer-url/${member}`]),
      ...['1', '2', '3'].flatMap((number) => [
        `user-data/etcd-${number}/lt-${number}`,
        `hook/etcd-${number}/drover-etcd`,
        `hook/etcd-${number}/drover-etcd-launch`,
        `tags/etcd-${number}`,
      ]),
      'mark',
    ]);
  });

  it('has nothing left once everything is as Drover needs it', () => {
    const done = observed([ready, ready, ready], { groups, zone: adopted, authority: 'same' });
    expect(planAdoption(done)).toEqual({ steps: [], refusals: [], notices: [] });
  });

  it('plans for a subset of what is done exactly the rest, in the same order', () => {
    const all = idsOf(observed());
    const one = fc.record({ url: fc.boolean(), certificates: fc.boolean() });
    fc.assert(
      fc.property(
        fc.tuple(one, one, one),
        fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
        (members, tagged) => {
          const left = idsOf(
            observed(members, { groups: tagged.map((isReady, index) => groupAt(index + 1, isReady)) }),
          );
          expect(left).toEqual(all.filter((step) => left.includes(step)));
          members.forEach(({ url, certificates }, index) => {
            expect(left.includes(`peer-url/${index + 1}`)).toBe(!url);
            expect(left.includes(`certificates/${index + 1}`)).toBe(!certificates);
            expect(left.includes(`tags/etcd-${index + 1}`)).toBe(!tagged[index]);
          });
          expect(left.includes('names')).toBe(members.some(({ url }) => !url));
          expect(left.at(-1)).toBe('mark');
        },
      ),
    );
  });

  it('keeps the names that certificates have: a certificate without the old address cuts the member off (etcd#15917, #8534)', () => {
    const [step] = planAdoption(observed()).steps.filter(({ id: step }) => step === 'certificates/1');
    expect(step?.shall).toContain(`host-1, localhost, 10.0.0.1, ${id(1)}.${naming.domain}, ${naming.domain}`);
    expect(step?.is).toContain('the peer certificate has the common name host-1');
  });

  it.each([
    ['of another case', [`${id(1)}.ETCD.example.internal`, naming.domain], true],
    ['with a wildcard two labels up', ['*.example.internal', naming.domain], false],
    ['without the domain itself', [`*.${naming.domain}`], false],
  ])('reads names %s as etcd does', (_, names, isEnough) => {
    const both = { server: certificate({ names }), peer: certificate({ names }) };
    const steps = idsOf(observed([{ url: true, instance: both }, ready, ready]));
    expect(steps.includes('certificates/1')).toBe(!isEnough);
  });

  it('names a server certificate that is not for clients: the gateway answers 503 with it', () => {
    const server = certificate({ isForClients: false });
    const plan = planAdoption(observed([{ ...ready, instance: { server } }, ready, ready]));
    expect(plan.steps.find(({ member }) => member === '1')?.is).toContain('is not for clients');
  });

  it('promotes a learner before its URL changes, because etcd forgets then that it is one (etcd#21694)', () => {
    const learner = { member: { isLearner: true }, status: { isLearner: true } };
    const steps = idsOf(observed([{}, {}, learner]));
    expect(steps.indexOf('promote/3')).toBeLessThan(steps.indexOf('peer-url/3'));
    expect(steps).toContain('promote/3');
  });

  it('disarms NOSPACE, also that of a member that is not listed any more (etcd#14379)', () => {
    const alarms = [{ memberId: '99', name: 'NOSPACE' }];
    const [step] = planAdoption(observed([{ status: { alarms } }, {}, {}])).steps;
    expect([step?.id, step?.is]).toEqual(['alarms', expect.stringContaining('NOSPACE on member 99')]);
  });

  it('points API servers to the name of all members: those that list members lose them one by one', () => {
    const etcdServers = new Map([
      ['kube-apiserver-a', ['https://10.0.0.1:2379', 'https://10.0.0.2:2379']],
      ['kube-apiserver-b', [`https://${naming.domain}:2379`]],
    ]);
    const steps = idsOf(observed([{}, {}, {}], { kubernetes: { ...readKubernetes, etcdServers } }));
    expect(steps.slice(-2)).toEqual(['mark', 'api-server/kube-apiserver-a']);
  });

  it('says what one member, an even number and a crowded zone mean', () => {
    const notices = (done: readonly Done[]) => planAdoption(observed(done)).notices.join('\n');
    expect(notices([{}])).toContain('each restart of it is an outage');
    expect(notices([{}, {}])).toContain('2 members tolerate no more failures than 1');
    const same = { instance: { availabilityZone: 'eu-west-1a' } };
    expect(notices([same, same, {}])).toContain('2 of 3 members are in eu-west-1a');
    expect(notices([{}, {}, {}])).not.toContain('members are in');
  });
});

describe('an etcd is not adopted', () => {
  const silent = { kind: 'silent', why: 'unreachable', message: 'connection refused' } as const;
  const stacked = new Map([['master-1', id(1)]]);
  const withMember = (done: Done) => observed([done, {}, {}]);
  it.each<[string, AdoptionObservation, RegExp]>([
    [
      'if kubeadm runs it on its control planes (kubernetes#85954)',
      observed([{}, {}, {}], { kubernetes: { ...readKubernetes, stacked } }),
      /^master-1: .*stacked etcd of kubeadm/,
    ],
    [
      'if the API server cannot be read, which would show stacked etcd',
      observed([{}, {}, {}], { kubernetes: { kind: 'unread', why: 'ECONNREFUSED' } }),
      /ECONNREFUSED .*--kubeconfig/,
    ],
    [
      'without quorum (etcd#6103)',
      observed([{}, {}, {}], { list: undefined, failure: 'RAFT NO LEADER' }),
      /RAFT NO LEADER .*nothing can be changed without it/,
    ],
    [
      'while a member is down: the next one would cost quorum (etcd#6114)',
      withMember({ instance: { status: silent } }),
      /no member of the cluster answers on it: connection refused/,
    ],
    ['while a member is unhealthy', withMember({ status: { healthy: false } }), /is not healthy/],
    [
      'while a member has never started (etcd#15787, k3s#2306)',
      withMember({ member: { clientUrls: [] } }),
      /host-1 \(1\): it has never started, .*member remove 1/,
    ],
    [
      'if an etcd of another cluster answers on an instance (etcd#3710, #11562)',
      withMember({ status: { clusterId: 'beef', memberId: '7' } }),
      /an etcd of another cluster \(beef\)/,
    ],
    [
      'if a removed member still answers with its old id (etcd#9613)',
      withMember({ status: { memberId: '255' } }),
      /has the id ff, which was removed/,
    ],
    [
      'if a voter answers as a learner (etcd#18347)',
      withMember({ status: { isLearner: true } }),
      /answers as a learner/,
    ],
    [
      'if a member runs outside the groups',
      observed([{}, {}, {}], { instances: [instanceAt(1), instanceAt(2)] }),
      /host-3 \(3\): no instance of the groups answers/,
    ],
    [
      'in the middle of an upgrade (etcd#11716)',
      withMember({ status: { version: '3.5.26' } }),
      /members run 3\.5\.26 and 3\.6\.16: an upgrade is not finished/,
    ],
    [
      'with versions that forget promotions (etcd#19557)',
      observed([1, 2, 3].map(() => ({ status: { version: '3.5.13' } }))),
      /3\.5\.13 does not keep the promotion/,
    ],
    [
      'before 3.4',
      observed([1, 2, 3].map(() => ({ status: { version: '3.3.27' } }))),
      /3\.3 has no learners/,
    ],
    [
      'with the alarm CORRUPT, which may name no member (etcd#14849)',
      withMember({ status: { alarms: [{ memberId: '0', name: 'CORRUPT' }] } }),
      /CORRUPT on member 0/,
    ],
    [
      'on other ports, as etcd of events has them',
      withMember({ member: { peerUrls: ['https://10.0.0.1:2381'], clientUrls: ['https://10.0.0.1:4002'] } }),
      /it uses https:\/\/10\.0\.0\.1:2381, https:\/\/10\.0\.0\.1:4002/,
    ],
    [
      'without TLS if the deployment has TLS',
      withMember({ member: { peerUrls: ['http://10.0.0.1:2380'] } }),
      /it uses http:/,
    ],
    [
      'if the peer certificate has another authority',
      withMember({ instance: { peer: { kind: 'unread', why: 'unable to verify the first certificate' } } }),
      /one authority/,
    ],
    [
      'if the domain is that of another cluster',
      observed([{}, {}, {}], { zone: { mark: { owner: 'other', clusterId }, inTheWay: [] } }),
      /belongs to cluster other/,
    ],
    [
      'if another etcd is the one of the domain',
      observed([{}, {}, {}], { zone: { mark: { owner: clusterName, clusterId: 'dead' }, inTheWay: [] } }),
      /its etcd is dead, and 9a3f answers/,
    ],
    [
      'if a record is in the way',
      observed([{}, {}, {}], { zone: { mark: undefined, inTheWay: ['SRV _etcd-server-ssl._tcp'] } }),
      /SRV _etcd-server-ssl\._tcp: Drover needs this name/,
    ],
    [
      'if the groups want another number of instances than there are members',
      observed([{}, {}, {}], { groups: [{ ...groupAt(1), desiredCapacity: 2 }, groupAt(2), groupAt(3)] }),
      /want 4 instances, and the cluster has 3 members/,
    ],
    [
      'with a launch configuration',
      observed([{}], { groups: [{ ...groupAt(1), launch: { kind: 'configuration', name: 'old' } }] }),
      /launch configuration old/,
    ],
    ['with a warm pool', observed([{}], { groups: [{ ...groupAt(1), hasWarmPool: true }] }), /warm pool/],
    ['without a group', observed([{}], { groups: [], instances: [] }), /no group was named/],
    [
      'if a group does not exist',
      observed([{}, {}, {}], { unknownGroups: ['etcd-9'] }),
      /etcd-9: there is no such Auto Scaling group/,
    ],
  ])('%s', (_, observation, reason) => {
    expect(reasonsOf(observation)).toMatch(reason);
    expect(planAdoption(observation).steps).toEqual([]);
  });
});
