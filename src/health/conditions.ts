import { arrayAt, type JsonObject, stringAt } from '../model/json.ts';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The condition of that type in `status.conditions`. */
export function conditionOf(live: JsonObject, type: string): Condition | undefined {
  const found = arrayAt(live, 'status', 'conditions').find((entry) => stringAt(entry, 'type') === type);
  if (found === undefined) return undefined;
  return {
    type,
    status: stringAt(found, 'status') ?? 'Unknown',
    reason: stringAt(found, 'reason') ?? '',
    message: stringAt(found, 'message') ?? '',
  };
}

export function isTrue(live: JsonObject, type: string): boolean {
  return conditionOf(live, type)?.status === 'True';
}

/** 'FailedCreate: exceeded quota: …', or what there is of it. */
export function explain({ type, status, reason, message }: Condition): string {
  const told = [reason, message].filter((part) => part !== '').join(': ');
  return told === '' ? `${type} is ${status}` : told;
}
