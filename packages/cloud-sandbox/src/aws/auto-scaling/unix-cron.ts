import type { Cron, Day } from '../events/cron.ts';
import { parseField } from '../events/cron-fields.ts';

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * The recurrence of a scheduled action, "Unix cron syntax": `minute hour day-of-month month day-of-week`, with 0 and 7 for Sunday; undefined
 * if it is not valid. If both days are restricted, either of them is enough (crontab(5)).
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-scheduled-scaling.html
 */
export function parseUnixCron(recurrence: string): Cron | undefined {
  const fields = recurrence.trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = fields;
  const minutes = parseField(minute, { minimum: 0, maximum: 59 });
  const hours = parseField(hour, { minimum: 0, maximum: 23 });
  const days = parseField(dayOfMonth, { minimum: 1, maximum: 31 });
  const months = parseField(month, { minimum: 1, maximum: 12, names: monthNames });
  const weekdays = parseField(dayOfWeek, { minimum: 0, maximum: 7, names: dayNames });
  const years = parseField('*', { minimum: 1970, maximum: 2199 });
  if (!minutes || !hours || !days || !months || !weekdays || !years) return undefined;
  const ofMonth = ({ day }: Day): boolean => days.includes(day);
  const ofWeek = (day: Day): boolean => weekdays.some((weekday) => weekday % 7 === weekdayOf(day));
  const isEitherEnough = !dayOfMonth.startsWith('*') && !dayOfWeek.startsWith('*');
  return {
    minutes,
    hours,
    months: new Set(months),
    years: new Set(years),
    isDay: isEitherEnough ? (day) => ofMonth(day) || ofWeek(day) : (day) => ofMonth(day) && ofWeek(day),
  };
}

/** 0 (Sunday) to 6. */
const weekdayOf = ({ year, month, day }: Day): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay();
