import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestsOfPod } from '../../../../shared/capacity/plan/requests.ts';
import { controllerText, problemsIn, read, workloadsIn } from './fixtures.ts';

/** One amount of CPU in thousandths, as people, tools and other languages write it. */
const cpuSpelling = fc
  .nat({ max: 500_000 })
  .chain((milli) =>
    fc
      .constantFrom(
        `${milli}m`,
        `"${milli}m"`,
        `${milli / 1000}`,
        `"${milli / 1000}"`,
        `${milli}e-3`,
        `"${milli}E-3"`,
        `${milli * 1000}u`,
        `+${milli}m`,
        `0${milli}m`,
        `!!str ${milli}m`,
      )
      .map((text) => ({ text, milli })),
  );

/** One amount of memory in bytes. */
const memorySpelling = fc.nat({ max: 1 << 20 }).chain((kibibytes) => {
  const bytes = kibibytes * 1024;
  return fc
    .constantFrom(
      `${kibibytes}Ki`,
      `"${kibibytes}Ki"`,
      `${kibibytes / 1024}Mi`,
      `${bytes}`,
      `"${bytes}"`,
      `${bytes / 1000}k`,
      `${bytes / 1e6}M`,
      `${bytes}.0`,
      `${bytes}e0`,
      `${bytes}000m`,
    )
    .map((text) => ({ text, bytes }));
});

describe('the requests of a manifest', () => {
  it('are the same however their quantities are written', () => {
    fc.assert(
      fc.property(cpuSpelling, memorySpelling, (cpu, memory) => {
        const text = controllerText({ resources: `{requests: {cpu: ${cpu.text}, memory: ${memory.text}}}` });
        const [pod] = workloadsIn(text)[0]?.pods ?? [];
        const requests = pod && requestsOfPod(pod);
        expect([requests?.get('cpu'), requests?.get('memory')]).toEqual([cpu.milli, memory.bytes]);
      }),
      { numRuns: 60 },
    );
  });
});

/** Fields that say nothing: null, or an empty list or map. */
const empty = fc.constantFrom('', '~', 'null', '[]', '{}');
const lists = ['tolerations', 'initContainers', 'topologySpreadConstraints', 'volumes', 'schedulingGates'];
const maps = ['affinity', 'nodeSelector', 'overhead', 'securityContext', 'resources'];

it('fields that are empty in any way change nothing', () => {
  const plain = workloadsIn(controllerText())[0];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...lists, ...maps), empty), (fields) => {
      const entries = Object.entries(fields).filter(([name, value]) =>
        lists.includes(name) ? value !== '{}' : value !== '[]',
      );
      const pod = [
        'terminationGracePeriodSeconds: 5',
        ...entries.map(([name, value]) => `${name}: ${value}`),
      ];
      const [workload] = workloadsIn(controllerText({ pod: pod.join('\n      ') }));
      expect(workload?.replicas).toBe(plain?.replicas);
      expect(workload?.pods.map(requestsOfPod)).toEqual(plain?.pods.map(requestsOfPod));
      expect(workload?.notes).toEqual(plain?.notes);
    }),
    { numRuns: 60 },
  );
});

/** Any value in any field of a pod: most are wrong. */
const fieldsOfPod = [
  ...lists,
  ...maps,
  'containers',
  'hostNetwork',
  'nodeName',
  'restartPolicy',
  'runtimeClassName',
];

it('any value of any field is a workload or a problem with its document, and never an error', () => {
  const object = fc.record({
    apiVersion: fc.constant('apps/v1'),
    kind: fc.constantFrom('Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'),
    metadata: fc.oneof(fc.constant({ name: 'web' }), fc.jsonValue()),
    spec: fc.record({
      selector: fc.constant({ matchLabels: { app: 'web' } }),
      replicas: fc.oneof(fc.nat({ max: 3 }), fc.jsonValue()),
      template: fc.record({
        metadata: fc.constant({ labels: { app: 'web' } }),
        spec: fc
          .record({ containers: fc.constant([{ name: 'a', image: 'a' }]) }, { requiredKeys: ['containers'] })
          .chain((spec) =>
            fc
              .dictionary(fc.constantFrom(...fieldsOfPod), fc.jsonValue(), { maxKeys: 2 })
              .map((fields) => ({ ...spec, ...fields })),
          ),
      }),
    }),
  });
  fc.assert(
    fc.property(object, (value) => {
      const { workloads, problems, surroundings } = read(JSON.stringify(value));
      expect(workloads.length + problems.length + surroundings.daemonSets.length).toBeGreaterThan(0);
      for (const problem of problems) expect([problem.file, problem.document]).toEqual(['web.yaml', 1]);
    }),
    { numRuns: 200 },
  );
});

it('any text is a reading or problems, and never an error', () => {
  const pieces = fc.constantFrom(
    'apiVersion: v1\n',
    'kind: Pod\n',
    'kind: List\n',
    'items:\n',
    '- ',
    '---\n',
    '{',
    '}',
    '[',
    ']',
    ':',
    ' ',
    '\t',
    '&a',
    '*a',
    '<<',
    '"',
    "'",
    '|',
    '>',
    '#',
    '\n',
    '!!',
    '%',
    '{{',
    '\uFEFF',
    'a',
    '1',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
      ),
      (text) => {
        expect(Array.isArray(problemsIn(text))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
