import { execFileSync } from 'node:child_process';
import { moto } from '@drover/cloud-sandbox/real/emulators/emulators.ts';
import { emulators, program, xrayReceiver } from '@drover/cloud-sandbox/real/programs.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { datagramSender } from '../../../shared/net/send-datagram.ts';
import { readDaemonAddress } from '../../../shared/tracing/create-trace.ts';
import { readTraceHeader, subsegmentDocument } from '../../../shared/tracing/subsegment.ts';
import { documentIn, sampledHeader } from '../../support/xray.ts';
import { type DocumentWorld, documentCases } from './document-cases.ts';
import { openMoto } from './support/moto.ts';
import { startReceiver } from './support/receiver.ts';
import { showThrough } from './support/show.ts';

const area = 'Documents for X-Ray';

let receiver: ReturnType<typeof startReceiver> | undefined;
afterAll(async () => (await receiver)?.stop());

/** Over UDP, as to the daemon. */
async function openReceiver(): Promise<DocumentWorld> {
  receiver ??= startReceiver();
  const { address, taken, refused } = await receiver;
  const target = readDaemonAddress(address) ?? { address, port: 0 };
  const send = datagramSender();
  return {
    show: showThrough(async (datagram) => {
      const { id } = documentIn(datagram);
      send(datagram, target, (error) => {
        throw error;
      });
      await expect.poll(() => [refused(), taken().filter((one) => one.id === id).length]).toEqual([[], 1]);
      const [shown] = taken().filter((one) => one.id === id);
      if (!shown) throw new Error('the receiver took nothing');
      return shown;
    }),
  };
}

contract({
  area,
  world: `OpenTelemetry's awsxrayreceiver ${xrayReceiver.version}`,
  missing: xrayReceiver.missing,
  cases: documentCases,
  open: openReceiver,
});
contract({ area, world: moto.name, missing: moto.missing, cases: documentCases, open: openMoto });

const sdk = 'AWS X-Ray SDK for Python 2.15.0';
const claim = (behaviour: string) => ({ meta: { claim: { area, world: sdk, behaviour } } });

/** What the SDK of AWS says, in Python: a line of JSON. */
const ask = (code: string, input: unknown): unknown =>
  JSON.parse(
    execFileSync(
      program(emulators, 'python'),
      ['-c', `import json, sys\nasked = json.loads(sys.argv[1])\n${code}`, JSON.stringify(input)],
      {
        encoding: 'utf8',
      },
    ),
  );

describe.skipIf(!emulators.isInstalled)(sdk, () => {
  const statuses = Array.from({ length: 400 }, (_, index) => 200 + index);
  const flags = 'error, fault and throttle are set for every status as the SDK of AWS sets them';
  test(flags, claim(flags), () => {
    const code = `
from aws_xray_sdk.core.models.segment import Segment
from aws_xray_sdk.core.models.subsegment import Subsegment
def flags(status):
    call = Subsegment('SSM', 'aws', Segment('function'))
    call.put_http_meta('status', status)
    made = json.loads(call.serialize())
    return [made.get(flag, False) for flag in ('error', 'fault', 'throttle')]
print(json.dumps([flags(status) for status in asked]))`;
    const ours = statuses.map((status) => {
      const document = subsegmentDocument({
        header: { traceId: '', parentId: '' },
        id: '',
        exceptionId: '',
        call: { name: 'SSM', namespace: 'aws' },
        startedAt: 0,
        end: { at: 0, outcome: { status } },
      }) as Readonly<Record<string, unknown>>;
      return ['error', 'fault', 'throttle'].map((flag) => document[flag] === true);
    });
    expect(ours).toEqual(ask(code, statuses));
  });

  const header = sampledHeader;
  const headers = [
    header,
    header.replace('Sampled=1', 'Sampled=0'),
    header.replace('Sampled=1', 'Sampled=?'),
    `Self=1-00000000-000000000000000000000000;${header}`,
    header.split(';').toReversed().join(';'),
    header.replace(/Parent=[^;]*;/, ''),
    '',
  ];
  const read = 'the trace header of an invocation is read as the SDK of AWS reads it';
  test(read, claim(read), () => {
    const code = `
from aws_xray_sdk.core.models.trace_header import TraceHeader
def read(text):
    header = TraceHeader.from_header_str(text)
    if header.sampled != 1 or not header.root or not header.parent: return None
    return {'traceId': header.root, 'parentId': header.parent}
print(json.dumps([read(text) for text in asked]))`;
    expect(headers.map((text) => readTraceHeader(text) ?? null)).toEqual(ask(code, headers));
  });
});
