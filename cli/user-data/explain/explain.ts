import { compose } from '../../adopt/user-data/compose.ts';
import { partsOf } from './parts.ts';
import { readBottlerocket } from './readers/bottlerocket.ts';
import { readCloudConfig } from './readers/cloud-config.ts';
import { readIgnition } from './readers/ignition.ts';
import { readNodeConfig } from './readers/node-config.ts';
import { readScript, readShell } from './readers/script.ts';
import { fact, fetched, type Join, merged, nothing, type Reading, redactedJoin } from './reading.ts';
import { redacted, secretsIn, withoutSecrets } from './redact.ts';
import { unwrap } from './unwrap.ts';
import { verdictOn } from './verdict.ts';

export interface ExplainedPart {
  readonly type: string;
  readonly fileName?: string;
  readonly facts: Reading['facts'];
}

/** What a user data does, and what Drover would change of it. No credential is in it. */
export interface Explanation {
  readonly sizeBytes: number;
  readonly wrappings: readonly string[];
  readonly parts: readonly ExplainedPart[];
  readonly joins: readonly Join[];
  readonly credentials: readonly string[];
  readonly faults: readonly string[];
  /** What Drover would change, in sentences. */
  readonly drover: readonly string[];
}

/** Explains a user data as a file or AWS has it. Pure. */
export function explain(given: string): Explanation {
  const { text, wrappings, sizeBytes, faults } = unwrap(given);
  const parts = partsOf(text).map((part) => ({
    part,
    reading: merged([readPart(part), { ...nothing, faults: part.faults ?? [] }]),
  }));
  const all = merged(parts.map(({ reading }) => reading));
  const found = {
    ...all,
    joins: all.joins.map(redactedJoin),
    credentials: all.credentials.map(withoutSecrets),
    // They quote what is wrong.
    faults: [...faults, ...all.faults, ...twiceJoined(all.joins), ...packedForNodeadm(wrappings, parts)].map(
      withoutSecrets,
    ),
  };
  return {
    sizeBytes,
    wrappings,
    parts: parts.map(({ part: { type, fileName }, reading }) => ({
      type: redacted(type),
      ...(fileName !== undefined && { fileName: redacted(fileName) }),
      facts: reading.facts,
    })),
    joins: found.joins,
    credentials: found.credentials,
    faults: found.faults,
    drover: verdictOn(found, {
      withPart: compose(Buffer.from(text), '#!/bin/bash\n# A part of yours\n'),
      unread: all.unread,
    }),
  };
}

const included = (body: string): Reading =>
  merged([
    { ...nothing, credentials: secretsIn(body).map((kind) => `an address holds ${kind}`) },
    ...body
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => fetched(line.split(/[?#]/, 1)[0] ?? '', 'user data')),
  ]);

const readers: Readonly<Record<string, (body: string) => Reading>> = {
  'text/x-shellscript': readScript,
  'text/cloud-boothook': (body) =>
    withFact(readShell(body), 'runs at every boot, before the network is set up'),
  'text/cloud-config': readCloudConfig,
  'application/node.eks.aws': readNodeConfig,
  ignition: readIgnition,
  bottlerocket: readBottlerocket,
  'text/x-include-url': included,
  'text/x-include-once-url': included,
};

interface ReadablePart {
  readonly type: string;
  readonly body: string;
}

function readPart({ type, body }: ReadablePart): Reading {
  const reader = readers[type];
  if (reader !== undefined) return reader(body);
  if (type === 'text/jinja2')
    return withFact(
      readTemplate(body),
      'a template of Jinja: cloud-init fills in facts of the machine first',
    );
  if (type === 'text/part-handler')
    return withFact(
      { ...nothing, unread: [partNamed(type)] },
      'a program in Python that reads other parts: not explained',
    );
  return {
    ...nothing,
    unread: [partNamed(type)],
    credentials: secretsIn(body).map((kind) => `a part that is not explained holds ${kind}`),
    faults: [`not explained: ${type}`],
  };
}

/** A type with spaces is the reason why nothing reads the user data. */
const partNamed = (type: string): string =>
  type.includes(' ') ? 'the user data' : `a part of type ${redacted(type)}`;

const withFact = (reading: Reading, meaning: string): Reading => ({
  ...reading,
  facts: [fact('this part', '', meaning), ...reading.facts],
});

/** The format under the line that says that it is a template. */
function readTemplate(body: string): Reading {
  const [part] = partsOf(body.replace(/^[^\n]*\n/, ''));
  return part === undefined || part.type === 'text/jinja2' ? nothing : readPart(part);
}

/** awslabs/amazon-eks-ami#1734. */
const packedForNodeadm = (
  wrappings: readonly string[],
  parts: readonly { readonly part: ReadablePart }[],
): readonly string[] =>
  wrappings.includes('gzip') && parts.some(({ part }) => part.type === 'application/node.eks.aws')
    ? ['it is compressed, and not every version of nodeadm unpacks it']
    : [];

function twiceJoined(joins: readonly Join[]): readonly string[] {
  const ways = [...new Set(joins.map(({ by }) => by))];
  // nodeadm merges its documents, and kubeadm may be written for several cases.
  return ways.length > 1 ? [`it joins in more than one way (${ways.join(', ')}): one of them fails`] : [];
}
