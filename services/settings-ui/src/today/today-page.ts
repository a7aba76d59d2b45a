import type { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { sentForm } from '../forms/sent-form.rules.ts';
import { errorText } from '../ui/form-errors.ts';
import { doneOf } from '../ui/notices.rules.ts';
import { loadToday } from './load-today.ts';
import { todayPage } from './today.view.ts';

export type TodayPage = ReturnType<typeof createTodayPage>;

/** Today as it is now, also with the refusal of a change that was made from there. */
export const createTodayPage =
  (deps: AreaDeps) =>
  async (request: FastifyRequest, reply: FastifyReply, error: AppError | null = null) => {
    const loaded = await loadToday(deps, request.session);
    const page = {
      ...loaded,
      done: error ? null : doneOf(sentForm.parse(request.query).done),
      refusal: error ? errorText(error) : undefined,
    };
    return deps.pages.send(reply, todayPage(deps.pages.context(request), page));
  };
