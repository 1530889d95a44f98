import * as z from 'zod/mini';

/** What a command of npm printed with `--json`. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
}

/** `not-audited`: the registry, or what npm needs beside it, did not answer the question. A gate reports that and does not fail. */
export interface Outcome {
  readonly kind: 'passed' | 'failed' | 'not-audited';
  readonly text: string;
}

const severities = ['info', 'low', 'moderate', 'high', 'critical'] as const;

const advisoriesSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.enum(severities),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
  metadata: z.object({ dependencies: z.object({ total: z.number() }) }),
});

/** The result of `npm audit --json`. Every known vulnerability fails, whatever its severity. Pure. */
export function advisoriesOutcome(answer: Answer): Outcome {
  const report = z.safeParse(advisoriesSchema, parsed(answer.stdout));
  if (!report.success) return withoutReport(answer);
  const { vulnerabilities, metadata } = report.data;
  const found = Object.entries(vulnerabilities).map(
    ([name, { severity, range, via }]) => `${name} ${range} (${severity}): ${via.map(reasonOf).join('; ')}`,
  );
  return found.length === 0
    ? passed(`no known vulnerability in ${metadata.dependencies.total} packages`)
    : failed(`${found.length} packages with known vulnerabilities:`, found);
}

type Via = string | { readonly title: string; readonly url: string };
const reasonOf = (via: Via): string => (typeof via === 'string' ? `by ${via}` : `${via.title} ${via.url}`);

const packageSchema = z.object({ name: z.string(), version: z.string() });
const signaturesSchema = z.object({ invalid: z.array(packageSchema), missing: z.array(packageSchema) });

/** The result of `npm audit signatures --json`: whether the registry signed each package that is installed. Pure. */
export function signaturesOutcome(answer: Answer): Outcome {
  const report = z.safeParse(signaturesSchema, parsed(answer.stdout));
  if (!report.success) return withoutReport(answer);
  const wrong = Object.entries(report.data).flatMap(([problem, packages]) =>
    packages.map(({ name, version }) => `${name}@${version}: ${problem} signature`),
  );
  return wrong.length === 0
    ? passed('every package has the signature of its registry')
    : failed(`${wrong.length} packages without a valid signature:`, wrong);
}

const passed = (text: string): Outcome => ({ kind: 'passed', text });
const failed = (text: string, lines: readonly string[]): Outcome => ({
  kind: 'failed',
  text: [text, ...lines.map((line) => `  ${line}`)].join('\n'),
});
const notAudited = (reason: string): Outcome => ({ kind: 'not-audited', text: `not audited: ${reason}` });

const problemSchema = z.object({
  statusCode: z.optional(z.number()),
  error: z.object({ code: z.optional(z.string()), summary: z.optional(z.string()) }),
});

/** Errors of a connection, by Node's codes. */
const noConnection =
  /^(?:EAI_AGAIN|ENOTFOUND|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)$/;

/** npm says so if the registry publishes no keys. */
const noKeys = /installed from a supported registry/;

/** An error of npm itself, such as a missing lock file, fails: nothing was asked. */
function withoutReport({ stdout, stderr }: Answer): Outcome {
  const problem = z.safeParse(problemSchema, parsed(stdout));
  if (!problem.success)
    return failed('npm printed no report:', [`${stdout}\n${stderr}`.trim().slice(0, 2000)]);
  const { statusCode, error } = problem.data;
  const { code = '', summary = '' } = error;
  if (statusCode !== undefined) return notAudited(`registry answers ${statusCode}`);
  const status = /^E(\d{3})$/.exec(code)?.[1];
  if (status) return notAudited(`registry answers ${status}`);
  if (noConnection.test(code)) return notAudited(`${code}: ${summary}`);
  if (noKeys.test(summary)) return notAudited('registry serves no keys of signatures');
  return failed('npm did not audit:', [`${code} ${summary}`.trim()]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
