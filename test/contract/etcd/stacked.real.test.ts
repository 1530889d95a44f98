import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { whyNoNameServer } from '@drover/cloud-sandbox/real/etcd/name-server.ts';
import { kubernetes, kwok } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStackedProof, type StackedProof } from '../../../local/real-world/stacked/prove.ts';
import { createStackedWorld, type StackedWorld } from '../../../local/real-world/stacked/world.ts';
import { quickTimings } from '../../../local/real-world/timings.ts';

const reason =
  kubernetes.missing ??
  kwok.missing ??
  (chosenEtcd.isInstalled
    ? whyNoNameServer()
    : `etcd ${chosenEtcd.version} is not installed: npm run real:etcd`);
const size = 3;
const claimed = { meta: { claim: { area: 'etcd under Drover', world: `etcd ${chosenEtcd.version}` } } };

/** Each instance has a real etcd and a real API server, which asks only the etcd beside it. One after the other on the same cluster. */
describe.skipIf(reason !== undefined)(
  `etcd ${chosenEtcd.version} with API servers beside it, behind their load balancer${reason ? `: ${reason}` : ''}`,
  () => {
    const problems: unknown[] = [];
    const lines: string[] = [];
    let world: StackedWorld;
    let proof: StackedProof;
    let objects: readonly string[] = [];

    beforeAll(async () => {
      world = await createStackedWorld({
        size,
        speed: 5,
        timings: quickTimings,
        onLine: (_, line) => void lines.push(line),
        onProblem: (problem) => void problems.push(problem),
      });
      proof = openStackedProof(world, { size, say: () => undefined });
    }, 60_000);

    afterAll(async () => {
      await proof.close();
      await world.close();
      expect(problems).toEqual([]);
    });

    it('is born although its launch hooks wait for Nodes that no API server can show yet', {
      timeout: 240_000,
      ...claimed,
    }, async () => {
      await proof.born();
      const completed = lines.filter((line) => line.includes('it goes into service without a Ready node'));
      expect(completed.length).toBeGreaterThanOrEqual(1);
      objects = await proof.objects();
      expect(objects.filter((one) => /^(Pod|Deployment|ConfigMap)\/(web|kept)/.test(one))).toHaveLength(5);
    });

    it('has all instances replaced by drover roll, while each read through the load balancer has an answer', {
      timeout: 300_000,
      ...claimed,
    }, async () => {
      proof.reads();
      await proof.roll();
      const { failed, of } = proof.reads();
      expect(failed).toEqual([]);
      expect(of).toBeGreaterThan(20);
      expect(await proof.objects()).toEqual(objects);
    });

    it('replaces an instance that is lost with its data, and no object is lost', {
      timeout: 240_000,
      ...claimed,
    }, async () => {
      await proof.loseOne();
      expect(await proof.objects()).toEqual(objects);
    });

    it('has the objects of the snapshot again after two of three are lost, by the commands of drover etcd restore', {
      timeout: 300_000,
      ...claimed,
    }, async () => {
      await proof.loseQuorum();
      expect(await proof.objects()).toEqual(objects);
    });
  },
);
