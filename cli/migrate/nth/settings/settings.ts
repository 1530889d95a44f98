import { type Definition, definitionOf, type SettingName, settingNames } from './definitions.ts';

/** A setting as its source writes it. */
export type Given =
  | { readonly kind: 'text'; readonly text: string }
  /** Set from something that is not read, such as a Secret. */
  | { readonly kind: 'hidden'; readonly from: string };

/** What sets settings: the chart's values or a container. Settings that it leaves out have their default. */
export type GivenSettings = Partial<Readonly<Record<SettingName, Given>>>;

/** A setting as the program reads it. */
export type Value<T> =
  | { readonly kind: 'known'; readonly value: T; readonly isDefault: boolean }
  | { readonly kind: 'hidden'; readonly from: string }
  /** The program does not start with it. */
  | { readonly kind: 'invalid'; readonly text: string; readonly allowed: string };

/** Every setting with its default. */
export type NthSettings = {
  readonly [Name in SettingName]: Value<string | number | boolean>;
};

export interface ReadOptions {
  /** The chart renders its own defaults. */
  readonly isChart: boolean;
}

/**
 * The settings as the program reads them: an empty variable is one that is not set, and a newer name counts before the older one that it
 * replaces (pkg/config/config.go). Pure.
 */
export function readSettings(given: GivenSettings, { isChart }: ReadOptions): NthSettings {
  const read = (name: SettingName): Value<string | number | boolean> =>
    readValue(definitionOf(name), given[name], isChart);
  const all = Object.fromEntries(settingNames.map((name) => [name, read(name)])) as NthSettings;
  return {
    ...all,
    checkTagBeforeDraining: withOlder(given, 'checkTagBeforeDraining', 'checkASGTagBeforeDraining', {
      all,
      isChart,
    }),
    managedTag: withOlder(given, 'managedTag', 'managedAsgTag', { all, isChart }),
    podTerminationGracePeriod: withOlder(given, 'podTerminationGracePeriod', 'gracePeriod', {
      all,
      isChart: false,
    }),
  };
}

/**
 * A chart of 0.19.2 and later renders both names, so that the program takes the newer one, whose value is the default if only the older
 * one is set. An earlier chart renders the older one. The values do not have the version of the chart.
 */
function withOlder(
  given: GivenSettings,
  newer: SettingName,
  older: SettingName,
  { all, isChart }: { readonly all: NthSettings; readonly isChart: boolean },
): Value<string | number | boolean> {
  if (isGiven(given[newer]) || !isGiven(given[older])) return all[newer];
  const value = all[older];
  if (!isChart || (value.kind === 'known' && value.isDefault)) return value;
  return {
    kind: 'hidden',
    from: `${older}, which charts since 2022 ignore beside the default of ${newer}`,
  };
}

const isGiven = (given: Given | undefined): boolean =>
  given !== undefined && (given.kind === 'hidden' || given.text !== '');

function readValue(
  definition: Definition,
  given: Given | undefined,
  isChart: boolean,
): Value<string | number | boolean> {
  const fallback = (isChart ? definition.chartFallback : undefined) ?? definition.fallback;
  if (given?.kind === 'hidden') return given;
  const text = given?.text || fallback;
  const value = parse(definition.type, text);
  return value === undefined
    ? { kind: 'invalid', text, allowed: allowed[definition.type] }
    : { kind: 'known', value, isDefault: value === parse(definition.type, fallback) };
}

const allowed = { boolean: 'true or false', integer: 'a whole number', text: 'a text' } as const;

/** As strconv.ParseBool and strconv.Atoi of Go read them. */
function parse(type: Definition['type'], text: string): string | number | boolean | undefined {
  if (type === 'text') return text;
  if (type === 'integer') return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}

/** The value of a boolean setting; undefined if it is not known. */
export const flagIn = (settings: NthSettings, name: SettingName): boolean | undefined => {
  const value = settings[name];
  return value.kind === 'known' ? value.value === true : undefined;
};

/** The value of a number; undefined if it is not known. */
export const numberIn = (settings: NthSettings, name: SettingName): number | undefined => {
  const value = settings[name];
  return value.kind === 'known' && typeof value.value === 'number' ? value.value : undefined;
};

/** The value of a text; undefined if it is not known or empty. */
export const textIn = (settings: NthSettings, name: SettingName): string | undefined => {
  const value = settings[name];
  return value.kind === 'known' && typeof value.value === 'string' && value.value !== ''
    ? value.value
    : undefined;
};
