import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { messageOf } from '../../../../shared/base/message-of.ts';
import { CliError, exitCodes } from '../../../exit-codes.ts';
import { definitionOf, type SettingName, settingNames } from './definitions.ts';
import { settingsOfContainer } from './from-container.ts';
import type { Given, GivenSettings } from './settings.ts';

/** Longer files are not values of a chart. */
const longestBytes = 1024 * 1024;
const mostAliases = 100;

const chartName = 'aws-node-termination-handler';

const mappingSchema = z.record(z.string(), z.unknown());
const extraEnvSchema = z.array(
  z.object({
    name: z.string(),
    value: z.nullish(z.union([z.string(), z.number(), z.boolean()])),
    valueFrom: z.nullish(mappingSchema),
  }),
);

/**
 * What values of the chart set, also those of a chart that has it as a dependency. Helm reads YAML 1.1, in which `yes` is true. Pure.
 *
 * @throws CliError if they are not values of a chart.
 */
export function settingsOfValues(text: string, file: string): GivenSettings {
  const values = valuesIn(text, file);
  const given = settingNames.flatMap((name): [SettingName, Given][] => {
    const { key } = definitionOf(name);
    const value = key === undefined ? undefined : values[key];
    // The chart has its default for a null.
    return value === undefined || value === null
      ? []
      : [[name, { kind: 'text', text: textOf(value, { key, file }) }]];
  });
  const secret = values['webhookURLSecretName'];
  return {
    ...Object.fromEntries(given),
    ...(typeof secret === 'string' &&
      secret !== '' && { webhookURL: { kind: 'hidden', from: `Secret ${secret}` } }),
    ...settingsOfContainer({ env: extraEnvOf(values, file) }),
  };
}

function valuesIn(text: string, file: string): Readonly<Record<string, unknown>> {
  if (Buffer.byteLength(text) > longestBytes)
    throw unreadable(file, `it is longer than ${longestBytes} bytes`);
  // A pretty error quotes the line, which may have the URL of a webhook.
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    version: '1.1',
    logLevel: 'silent',
    prettyErrors: false,
    lineCounter,
  });
  const [error] = document.errors;
  if (error) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw unreadable(file, `it is not YAML from line ${line} on (${error.code})`);
  }
  const all = mappingOf(toData(document, file) ?? {}, file);
  const nested = all[chartName];
  return nested === undefined || nested === null ? all : mappingOf(nested, file);
}

function toData(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    // Its message quotes the alias, which is a value without quotes that begins with `*`.
    const why = error instanceof ReferenceError ? 'its aliases are not resolved' : messageOf(error);
    throw unreadable(file, why);
  }
}

function mappingOf(value: unknown, file: string): Readonly<Record<string, unknown>> {
  const result = z.safeParse(mappingSchema, value);
  if (!result.success) throw unreadable(file, 'it is not a mapping of values');
  return result.data;
}

function extraEnvOf(values: Readonly<Record<string, unknown>>, file: string) {
  const result = z.safeParse(z.nullish(extraEnvSchema), values['extraEnv']);
  if (!result.success) throw unreadable(file, 'extraEnv is not a list of variables');
  return (result.data ?? []).map(({ name, value, valueFrom }) => ({
    name,
    value: value === undefined || value === null ? '' : String(value),
    valueFrom: valueFrom ?? null,
  }));
}

function textOf(
  value: unknown,
  { key, file }: { readonly key: string | undefined; readonly file: string },
): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw unreadable(file, `${key} is not a text, a number, true or false`);
}

const unreadable = (file: string, why: string): CliError =>
  new CliError(`${file} cannot be read as values of the chart ${chartName}: ${why}`, exitCodes.failed);
