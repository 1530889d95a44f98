import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@drover/cloud-sandbox/real/free-port.ts';
import { startProcess, untilReady } from '@drover/cloud-sandbox/real/process.ts';
import { program, xrayReceiver } from '@drover/cloud-sandbox/real/programs.ts';
import type { Shown } from '../document-cases.ts';

type Value = { readonly stringValue?: string; readonly intValue?: string; readonly boolValue?: boolean };
type Attributes = readonly { readonly key: string; readonly value: Value }[];

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes?: Attributes;
  readonly events?: readonly { readonly attributes: Attributes }[];
  readonly status: { readonly code?: number };
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** The receiver on ports of its own. `taken` has the documents that it has accepted, `refused` its messages about the others. */
export async function startReceiver() {
  const directory = mkdtempSync(join(tmpdir(), 'drover-xray-'));
  const logFile = join(directory, 'log');
  const address = `127.0.0.1:${await freePort()}`;
  const receiver = startProcess({
    name: 'the receiver',
    command: program(xrayReceiver, 'xray-receiver'),
    options: [address, `127.0.0.1:${await freePort()}`],
    logFile,
  });
  const lines = (): readonly string[] => readFileSync(logFile, 'utf8').split('\n');
  await untilReady({ name: 'the receiver', process: receiver }, async () => lines().includes('ready'));
  return {
    address,
    taken: (): readonly Shown[] =>
      lines()
        .filter((line) => line.startsWith('{"resourceSpans"'))
        .flatMap((line) => (JSON.parse(line) as Traces).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(shownOf))),
    refused: () => lines().filter((line) => line.includes('WARN')),
    stop: async () => {
      await receiver.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

/** A span in the words of X-Ray. OTLP writes the id of a trace without its dashes. */
function shownOf({ traceId, spanId, parentSpanId, name, attributes = [], events = [], status }: Span): Shown {
  const valueOf = (key: string, list: Attributes = attributes): Value =>
    list.find((one) => one.key === key)?.value ?? {};
  const httpStatus = valueOf('http.status_code').intValue;
  const [error] = events.map((event) => valueOf('exception.type', event.attributes).stringValue);
  return {
    traceId: `1-${traceId.slice(0, 8)}-${traceId.slice(8)}`,
    id: spanId,
    parentId: parentSpanId,
    name,
    operation: valueOf('aws.operation').stringValue,
    url: valueOf('http.url').stringValue,
    status: httpStatus === undefined ? undefined : Number(httpStatus),
    hasFailed: status.code === 2,
    isOpen: valueOf('aws.xray.inprogress').boolValue === true,
    errorName: error,
  };
}
