/** Names by id; none where their service couldn’t say in time, or they are not for whoever asks. */
export const namesOf = (
  records: readonly { id: number; name: string }[] | null | undefined,
): ReadonlyMap<number, string> => new Map(records?.map(({ id, name }) => [id, name]));
