import { type JsonRecord } from '@drover/cloud-sandbox/aws';
import { java } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type EventRuler,
  eventRulerName,
  startEventRuler,
} from '@drover/cloud-sandbox/test/contract/event-patterns/event-ruler.ts';
import { sandboxPatterns } from '@drover/cloud-sandbox/test/contract/event-patterns/sandbox-patterns.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SampleName, samples, sampleText } from '../../../events/index.ts';
import { loadDeployment } from '../../../local/deployment/load-deployment.ts';
import { askedFields, nearMisses } from './near-events.ts';

let ruler: EventRuler | undefined;

beforeAll(() => {
  if (java.isInstalled) ruler = startEventRuler();
});
afterAll(() => ruler?.stop());

function open(): EventRuler {
  if (ruler === undefined) throw new Error(`${eventRulerName} does not run`);
  return ruler;
}

const area = 'Event rules of the deployment';
const world = eventRulerName;
const claim = (behaviour: string) => ({ meta: { claim: { area, behaviour, world } } });

const { rules } = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
const patterns = rules.flatMap(({ rule }) => rule.EventPattern ?? []);
/** As a deployment has them that names its groups: without, `*` lets in every group. */
const narrowed = patterns.map((pattern) => pattern.replace('"wildcard":"*"', '"wildcard":"drover-*ers"'));

const sampleNames = Object.keys(samples) as SampleName[];
const asked = new Set(patterns.flatMap((pattern) => [...askedFields(JSON.parse(pattern) as JsonRecord)]));
const events = sampleNames.flatMap((name) => {
  const event = JSON.parse(sampleText(name)) as JsonRecord;
  return [event, ...nearMisses(event, (path) => asked.has(path))];
});

describe.skipIf(!java.isInstalled)('event-ruler and the sandbox agree', () => {
  const sameRules =
    'the rules of the deployment let in and leave out the same events, and near misses of them';
  test(sameRules, claim(sameRules), async () => {
    const texts = [...new Set(events.map((event) => JSON.stringify(event)))];
    expect(texts.length).toBeGreaterThan(1000);
    for (const pattern of new Set([...patterns, ...narrowed])) {
      const decided = await open().ask(pattern, texts);
      expect(decided).toContain(true);
      expect(await sandboxPatterns.ask(pattern, texts)).toEqual(decided);
    }
  });
});

describe.skipIf(!java.isInstalled)('the rules of the deployment by event-ruler', () => {
  const rightOnes = 'every payload of events/ comes in by the rule of its kind, or by none';
  test(rightOnes, claim(rightOnes), async () => {
    const letIn = new Map<string, readonly string[]>();
    for (const { rule } of rules.filter(({ rule }) => rule.EventPattern)) {
      const decided = await open().ask(rule.EventPattern ?? '', sampleNames.map(sampleText));
      letIn.set(
        rule.Name,
        sampleNames.filter((_, index) => decided[index] === true),
      );
    }
    expect(Object.fromEntries(letIn)).toEqual({
      'drover-dev-capacity-reservation': [
        'capacity-reservation-interruption',
        'capacity-reservation-interruption-bare-resource',
      ],
      'drover-dev-health': [
        'health-retirement',
        'health-many-instances',
        'health-page-1-of-2',
        'health-page-2-of-2',
        'health-other-region',
        'health-backup-copy',
        'health-volumes-and-instance-arns',
        'health-closed',
      ],
      'drover-dev-lifecycle-action': [
        'terminate-action',
        'terminate-action-without-places',
        'terminate-action-to-warm-pool',
        'terminate-action-from-warm-pool',
        'terminate-action-to-an-unknown-place',
        'terminate-action-to-replace-root-volume',
        'terminate-action-of-a-foreign-group',
        'launch-action',
        'launch-action-without-places',
        'launch-action-into-warm-pool',
        'launch-action-from-warm-pool',
        'launch-action-with-new-root-volume',
      ],
      'drover-dev-rebalance': ['rebalance-recommendation'],
      'drover-dev-scaling-activity': [
        'launch-successful',
        'launch-unsuccessful',
        'terminate-successful',
        'terminate-unsuccessful',
      ],
      'drover-dev-spot-interruption': [
        'spot-interruption-terminate',
        'spot-interruption-stop',
        'spot-interruption-hibernate',
        'spot-interruption-unknown-action',
      ],
      'drover-dev-state-change': [
        'state-change-stopping',
        'state-change-stopped',
        'state-change-shutting-down',
        'state-change-terminated',
      ],
    });
  });
});
