/** A wording that Drover's texts do not use. */
export interface Pattern {
  readonly name: string;
  /** Finds it; the whole match is shown. */
  readonly finds: RegExp;
  /** Wordings around a match that are right, such as "there is no". */
  readonly allows?: RegExp;
  /** What to write. */
  readonly instead: string;
}

const opening = String.raw`(?:^\W*|[.:;!?]\s+)`;

/** Patterns that are refused: see the conventions in docs/CONTRIBUTING.md. Matches of `allows` that overlap a match of `finds` permit it. */
export const patterns: readonly Pattern[] = [
  {
    name: 'is no NOUN',
    finds:
      /\b(?:is|are|was|were|be|been|being|becomes?)\s+no\s+(?!longer\b|more\b|less\b|fewer\b|later\b|earlier\b|\w+er\s+than\b)\S+/gi,
    allows:
      /\b(?:there|here|where|which|why)(?:'s)?(?:\s+\w+){0,3}\s+no\b|\b(?:is|are|was|were)\s+no\s+matter\b/gi,
    instead: '"is not a NOUN", "has no NOUN"',
  },
  {
    name: 'where for if',
    finds: /\bwhere\s+(?:it|they|there|nothing|none|no|neither)\b(?!\s+\w+\s+from\b)/gi,
    allows:
      /\b(?:places?|files?|lines?|folders?|director(?:y|ies)|regions?|zones?|accounts?|points?|pages?|hosts?|machines?|know|knows|see|sees|shows?|find|finds|from|to)\s+where\s+(?:it|they|there)\b|^#+ [^\n]*$/gim,
    instead: '"if it ..."; "in which" for a place',
  },
  {
    name: 'stands for exists',
    finds: /\b(?:stands?|stood|standing)\b/gi,
    allows: /\bstand(?:s|ing)?(?:-alone|-ins?|\s+in\s+for|\s+for)\b|\blong-standing\b/gi,
    instead: '"exists", "is", "is written"',
  },
  {
    name: 'alone for only',
    finds: /\balone\b/gi,
    allows: /\b(?:stand-?alone|let\s+alone|(?:leav(?:e|es|ing)|left)(?:\s+[\w'-]+){0,5}\s+alone)\b/gi,
    instead: '"only X"',
  },
  {
    name: 'a person',
    finds: /\b(?:a|any|every|no|one|another)\s+person\b/gi,
    instead: '"you", "the operator"',
  },
  { name: 'in place of', finds: /\bin\s+place\s+of\b/gi, instead: '"instead of"' },
  {
    name: 'Absent: as a sentence',
    finds: new RegExp(`${opening}(?:Absent|Undefined|Null)\\s*:`, 'g'),
    instead: '"Defaults to ...", "undefined if ..."',
  },
  { name: 'mend', finds: /\bmend(?:s|ed|ing)?\b/gi, instead: '"fix"' },
  { name: 'says of', finds: /\b(?:says?|said|saying)\s+of\b/gi, instead: '"reports", "describes"' },
  { name: 'anew', finds: /\banew\b/gi, instead: '"again"' },
  {
    name: 'nobody',
    finds: /\b(?:nobody|somebody|anybody|whoever)\b/gi,
    // A user or object of that name in a command of kubectl or in its output.
    allows: /--as nobody\b|"nobody"|\bpod nobody\b/g,
    instead: '"no process", "you", "something else"',
  },
  {
    name: 'headless opening',
    finds: new RegExp(
      `${opening}(?:Those\\s+(?:of|that|who|in|with|on)|Of\\s+(?:two|three|several|many|all|these|those|each|what|which)|(?:By|From|With|In|To|At|On|For|After|Until|Under)\\s+(?:which|what|whom|whose))\\b`,
      'g',
    ),
    instead: 'a sentence with a subject and a verb',
  },
  { name: 'door', finds: /\b(?:back)?doors?\b/gi, instead: '"endpoint", "interface"' },
  { name: 'weather', finds: /\bweathers?\b/gi, instead: '"faults"' },
  { name: 'strike', finds: /\b(?:strikes?|struck|striking)\b/gi, instead: '"fault", "happens"' },
  { name: 'seat', finds: /\b(?:seats?|seated)\b/gi, instead: '"slot"' },
  { name: 'petition', finds: /\bpetitions?\b/gi, instead: '"request"' },
  { name: 'prize', finds: /\bprizes?\b/gi, instead: '"winner"' },
  {
    name: 'look as a noun',
    finds:
      /\b(?:an?|the|each|every|one|first|second|third|next|last|this|its|later|earlier|two|three|\d+)\s+looks?\b(?!-)/gi,
    instead: '"read", "run", "check"',
  },
  { name: 'wish', finds: /\bwish(?:es|ed)?\b/gi, instead: '"request", "wanted"' },
  { name: 'news', finds: /\bnews\b/gi, instead: '"change", "event"' },
  {
    name: 'tell',
    finds: /\b(?:tells?|told|telling)\b/gi,
    allows:
      /\b(?:can|could|can't|cannot|to|not)\s+tell\s+(?:whether|if|which|when|apart|from|the|that)\b|\btells?\s+(?:\S+\s+){0,4}apart\b/gi,
    instead: '"notify", "report", "show"',
  },
  { name: 'beat', finds: /\bbeat(?:s|en|ing)?\b/gi, instead: '"heartbeat"' },
  { name: 'merge marker', finds: /^(?:<{7}|>{7}) /gm, instead: 'one of the two sides' },
];
