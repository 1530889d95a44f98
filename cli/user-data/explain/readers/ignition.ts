import { unpacked } from '../../gzip.ts';
import { readFileContent } from '../file-content.ts';
import { fact, fetched, merged, nothing, type Reading } from '../reading.ts';
import { secretsIn } from '../redact.ts';
import { type Fields, fieldsOf, listOf, scalarOf } from '../yaml-map.ts';
import { readScript, readShell } from './script.ts';

/** An Ignition configuration, of version 2 or 3 (coreos.github.io/ignition, "Configuration specification"). Pure. */
export function readIgnition(text: string): Reading {
  const document = jsonOf(text);
  if (document === undefined)
    return { ...nothing, faults: ['it is not JSON, so Ignition fails, and the machine does not boot'] };
  const ignition = fieldsOf(document.ignition);
  return merged([
    {
      ...nothing,
      credentials: secretsIn(JSON.stringify(ignition)).map((kind) => `what Ignition fetches holds ${kind}`),
      facts: [fact('Ignition', ignition.version, 'the version of the configuration')],
    },
    ...sources(ignition),
    ...listOf(fieldsOf(document.storage).files).map((one) => readFile(fieldsOf(one))),
    ...listOf(fieldsOf(document.systemd).units).map((one) => readUnit(fieldsOf(one))),
    ...listOf(fieldsOf(document.passwd).users).map((one) => ({
      ...nothing,
      facts: [fact('user', fieldsOf(one).name, 'makes this user, or gives it keys')],
      credentials:
        scalarOf(fieldsOf(one).passwordHash) === undefined
          ? []
          : [`user ${scalarOf(fieldsOf(one).name) ?? ''} holds the hash of a password`],
    })),
  ]);
}

function jsonOf(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // That it is not JSON says enough.
    return undefined;
  }
}

/** Configurations that are fetched: the rest of the machine is there, as with machine configurations of OpenShift 4. */
function sources(ignition: Fields): readonly Reading[] {
  const config = fieldsOf(ignition.config);
  return [...listOf(config.merge), ...listOf(config.append), config.replace].flatMap((one) => {
    const source = scalarOf(fieldsOf(one).source);
    return source === undefined ? [] : [fetched(addressOf(source), 'the configuration')];
  });
}

/** Without a query and a fragment: a query is the signature of a URL of S3. */
const addressOf = (source: string): string =>
  source.startsWith('data:') ? `(${source.length} characters in place)` : (source.split(/[?#]/, 1)[0] ?? '');

function readFile(file: Fields): Reading {
  const contents = fieldsOf(file.contents);
  const source = scalarOf(contents.source) ?? '';
  const mode = Number(file.mode ?? 0o644)
    .toString(8)
    .padStart(4, '0');
  const path = scalarOf(file.path) ?? '(no path)';
  const reading = readFileContent({
    path,
    mode,
    content: textOf(dataOf(source), scalarOf(contents.compression)),
    from: 'file',
    readScript,
  });
  if (source === '' || source.startsWith('data:')) return reading;
  return merged([
    reading,
    { ...nothing, facts: [fact(`file ${path}`, addressOf(source), 'is fetched from this address')] },
  ]);
}

const textOf = (bytes: Buffer | undefined, compression = ''): string | undefined =>
  bytes !== undefined && compression !== '' ? unpacked(bytes) : bytes?.toString('utf8');

/** The content of a `data:` URL (RFC 2397); undefined for other addresses. */
function dataOf(source: string): Buffer | undefined {
  const [, encoding, data = ''] = /^data:[^,]*?(;base64)?,([\s\S]*)$/.exec(source) ?? [];
  if (!source.startsWith('data:')) return source === '' ? Buffer.from('') : undefined;
  return encoding === undefined ? unescaped(data) : Buffer.from(unescaped(data).toString('latin1'), 'base64');
}

const unescaped = (data: string): Buffer =>
  Buffer.concat(
    data
      .split(/(%[0-9A-Fa-f]{2})/)
      .map((piece) =>
        /^%[0-9A-Fa-f]{2}$/.test(piece) ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece),
      ),
  );

function readUnit(unit: Fields): Reading {
  const state = [unit.enabled === true && 'enabled', unit.mask === true && 'masked']
    .filter(Boolean)
    .join(', ');
  const starts = [...(scalarOf(unit.contents) ?? '').matchAll(/^ExecStart(?:Pre)?=[-@:+!]*(.*)$/gm)].map(
    ([, command = '']) => command,
  );
  const commands = readShell(starts.join('\n'));
  const text = [unit, ...listOf(unit.dropins).map(fieldsOf)]
    .map(({ contents }) => scalarOf(contents) ?? '')
    .join('\n');
  return {
    ...commands,
    credentials: secretsIn(text).map((kind) => `unit ${scalarOf(unit.name) ?? ''} holds ${kind}`),
    facts: [
      fact(
        `unit ${scalarOf(unit.name) ?? ''}`,
        state,
        starts.length === 0 ? 'a unit of systemd' : 'a unit of systemd, which runs what follows',
      ),
      ...commands.facts,
    ],
  };
}
