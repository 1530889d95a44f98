import { compareAnswers, shapeOf } from '@drover/cloud-sandbox/real/account/answers.ts';
import { toAnswer } from '@drover/cloud-sandbox/real/account/compare-case.ts';
import type { FixtureAnswer } from '@drover/cloud-sandbox/real/account/fixtures.ts';
import { autoScalingEventsArea } from '@drover/cloud-sandbox/test/contract/support/account-areas.ts';
import { replayCase } from '@drover/cloud-sandbox/test/contract/support/replay.ts';
import { beforeAll, expect, test } from 'vitest';
import { type SampleName, sampleText } from '../../../events/index.ts';

/** The events of the sandbox that the contract of an account compares with AWS's. */
let sent: readonly FixtureAnswer[];

beforeAll(async () => {
  const cases = autoScalingEventsArea.sentences.map((sentence) =>
    replayCase(autoScalingEventsArea, sentence),
  );
  sent = (await Promise.all(cases)).flat();
});

const names: readonly SampleName[] = [
  'launch-action',
  'launch-action-into-warm-pool',
  'launch-action-from-warm-pool',
  'terminate-action',
  'launch-successful',
  'terminate-successful',
  'state-change-pending',
  'state-change-running',
  'state-change-stopped',
  'state-change-shutting-down',
  'state-change-terminated',
];

/**
 * Members that AWS sends only in some cases: the metadata of a hook that has some, the alarm behind a scale-in, and in events of a launch or a
 * termination that has ended the places.
 */
const optionalIn = (name: SampleName): RegExp =>
  name.endsWith('-successful') ? /(?:Origin|Destination)$|InvokingAlarms/ : /NotificationMetadata$/;

test.each(names)('%s has the fields and types that the sandbox sends', (name) => {
  const event = JSON.parse(sampleText(name)) as { readonly source: string; readonly 'detail-type': string };
  const sample = { service: event.source, operation: event['detail-type'], shape: shapeOf(event) };
  const ofKind = sent
    .map(toAnswer)
    .filter(({ service, operation }) => service === sample.service && operation === sample.operation);
  expect(ofKind).not.toEqual([]);
  const findings = compareAnswers([sample], ofKind).map(({ difference }) => difference);
  expect(findings.filter((difference) => !optionalIn(name).test(difference))).toEqual([]);
});
