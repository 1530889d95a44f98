/** The forms of names, each with the message for an invalid one. Source: apimachinery, pkg/util/validation. */

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const namePartPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValuePattern = `(${namePartPattern})?`;
const configKeyPattern = '[-._a-zA-Z0-9]+';

type Rule = (text: string) => readonly string[];

const form = (pattern: string, words: string, examples: readonly string[]): Rule => {
  const whole = new RegExp(`^${pattern}$`);
  const shown = examples.map((example) => `'${example}'`).join(',  or ');
  const message = `${words} (e.g. ${shown}, regex used for validation is '${pattern}')`;
  return (text) => (whole.test(text) ? [] : [message]);
};

const atMost =
  (length: number, words: string): Rule =>
  (text) =>
    text.length > length ? [`${words}must be no more than ${length} characters`] : [];

const all =
  (...rules: readonly Rule[]): Rule =>
  (text) =>
    rules.flatMap((rule) => rule(text));

const ends = 'and must start and end with an alphanumeric character';

export const dnsLabelProblems = all(
  atMost(63, ''),
  form(
    labelPattern,
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ends}`,
    ['my-name', '123-abc'],
  ),
);

export const dnsSubdomainProblems = all(
  atMost(253, ''),
  form(
    subdomainPattern,
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ends}`,
    ['example.com'],
  ),
);

const symbols = `must consist of alphanumeric characters, '-', '_' or '.', ${ends}`;

export const labelValueProblems = all(
  atMost(63, ''),
  form(
    labelValuePattern,
    `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ends}`,
    ['MyValue', 'my_value', '12345'],
  ),
);

const namePartProblems = all(
  (text) => (text === '' ? ['name part must be non-empty'] : []),
  atMost(63, 'name part '),
  form(namePartPattern, `name part ${symbols}`, ['MyName', 'my.name', '123-abc']),
);

const tooManyParts = form('never^', `a qualified name ${symbols}`, ['MyName', 'my.name', '123-abc']);
const optionalPrefix = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

/** A label's or annotation's key: `name` or `prefix/name`. */
export const qualifiedNameProblems: Rule = (text) => {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2)
    return tooManyParts(text).map((words) => `${words.replace('never^', namePartPattern)}${optionalPrefix}`);
  if (second === undefined) return namePartProblems(first);
  const ofPrefix = first === '' ? ['must be non-empty'] : dnsSubdomainProblems(first);
  return [...ofPrefix.map((words) => `prefix part ${words}`), ...namePartProblems(second)];
};

export const configKeyProblems = all(
  atMost(253, ''),
  form(configKeyPattern, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'", [
    'key.name',
    'KEY_NAME',
    'key-name',
  ]),
);
