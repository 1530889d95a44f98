import { findProblems } from '../../shared/problems/find-problems.ts';
import type { Problem } from '../../shared/problems/problem.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { reasonOf } from '../reason-of.ts';
import { viewOf } from '../table/column.ts';
import type { Check } from './check.ts';
import { checks } from './checks.ts';
import { type DoctorContext, type DoctorFlags, doctorContextOf } from './doctor-context.ts';
import { inRegion } from './in-region.ts';
import type { CheckedFinding, DoctorReport } from './report.ts';
import { doctorText } from './text.ts';

/** Runs every check and prints what was found. */
export async function doctor(flags: DoctorFlags, context: CliContext): Promise<void> {
  const report = await examine(doctorContextOf(flags, context), flags);
  context.stdout.write(
    flags.json
      ? jsonText(report)
      : doctorText(report, { view: viewOf(context.stdout), ...(flags.all && { all: true }) }),
  );
  if (report.toFix > 0)
    throw new CliError(
      summaryOf(report),
      report.findings.some(({ verdict }) => verdict === 'fix') ? exitCodes.failed : exitCodes.couldNotLook,
    );
}

function summaryOf({ findings, toFix }: DoctorReport): string {
  const unread = new Set(findings.filter(({ verdict }) => verdict === 'unknown').map(({ check }) => check));
  const problems = toFix - findings.filter(({ verdict }) => verdict === 'unknown').length;
  return [
    ...(problems > 0 ? [counted(problems, 'problem must be fixed', 'problems must be fixed')] : []),
    ...(unread.size > 0 ? [counted(unread.size, 'check could not be read', 'checks could not be read')] : []),
  ].join(', and ');
}

async function examine(
  context: DoctorContext,
  { region }: Pick<DoctorFlags, 'region'>,
): Promise<DoctorReport> {
  const found = (await Promise.all(checks.map((check) => look(check, context)))).flat();
  const findings = found.map(({ command, ...finding }) => ({
    ...finding,
    command: command !== null && region !== undefined ? inRegion(command, region) : command,
  }));
  return {
    at: new Date(context.at).toISOString(),
    clusterName: context.clusterName,
    toFix: findings.filter(({ verdict }) => verdict === 'fix' || verdict === 'unknown').length,
    findings,
    problems: await listProblems(context, region),
  };
}

/** The check `problems` names what could not be read. */
async function listProblems(
  { observe }: DoctorContext,
  region: string | undefined,
): Promise<readonly Problem[]> {
  const problems = findProblems(await observe());
  return problems.map((problem) => ({
    ...problem,
    command:
      problem.command !== null && region !== undefined ? inRegion(problem.command, region) : problem.command,
  }));
}

/** A check that cannot read does not stop the other checks. */
async function look(
  { name: check, look: find }: Check,
  context: DoctorContext,
): Promise<readonly CheckedFinding[]> {
  try {
    return (await find(context)).map(({ command = null, ...finding }) => ({ check, ...finding, command }));
  } catch (error) {
    return [{ check, verdict: 'unknown', subject: '-', message: reasonOf(error), command: null }];
  }
}
