let answers = 0;

/** An id that no other answer of this process has, in the form of a UUID. It need not be unpredictable. */
export function nextAuditId(): string {
  answers += 1;
  return `00000000-0000-4000-8000-${answers.toString(16).padStart(12, '0')}`;
}
