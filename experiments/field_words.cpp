// The words, by subject. Case, spaces, hyphens and underscores do not count.

#include "experiments/field_words.h"

#include <vector>

namespace ablate {
namespace {

using plan::FieldWord;

constexpr FieldWord kModels[] = {
    {"ALBERT", "masked_lm", "with format = \"pair\" and pair = \"sop\", on backbone encoder"},
    {"BART", "denoising", "on backbone encoder_decoder"},
    {"BD3LM", "block_diffusion", ""},
    {"BERT", "masked_lm",
     "with format = \"pair\" and pair = \"nsp\", on backbone encoder; experiment nsp_ablation"},
    {"CLIP", "contrastive", "between a picture's tokens and a text's; experiment modalities"},
    {"D3PM", "uniform_diffusion", "or masked_diffusion, by its noise"},
    {"ELECTRA", "replaced_token_detection", "with a learned generator, on backbone encoder"},
    {"GLM", "blank_infilling", ""},
    {"GPT", "causal_lm", "on backbone decoder"},
    {"GPTBERT", "mixture", "of causal_lm and masked_lm with readout = \"next\"; experiment hybrid"},
    {"Griffin", "model.layers", "a list of mixers, such as [\"mamba2\", \"sliding_window\"]"},
    {"Jamba", "model.layers", "a list of mixers, such as [\"mamba2\", \"mamba2\", \"attention\"]"},
    {"LLaDA", "masked_diffusion", "on backbone encoder"},
    {"Llama", "causal_lm",
     "on backbone decoder with norm = \"rms_norm\" and activation = \"swiglu\""},
    {"Mamba", "mamba2", "its second version; the first is not offered"},
    {"MDLM", "masked_diffusion", "on backbone encoder"},
    {"Mixtral", "experts", "a feed-forward layer; experiment experts"},
    {"RoBERTa", "masked_lm",
     "with format = \"plain\" and masks = \"dynamic\", on backbone encoder"},
    {"RWKV", "rwkv7", "followed by rwkv7_channels in model.layers"},
    {"SEDD", "uniform_diffusion", "or masked_diffusion, by its noise; experiment bounds"},
    {"SigLIP", "contrastive", "with loss = \"sigmoid\"; experiment modalities"},
    {"SpanBERT", "masked_lm", "with unit = \"ngram\", its nearest here, on backbone encoder"},
    {"T5", "span_corruption", "on backbone encoder_decoder"},
    {"UDLM", "uniform_diffusion", ""},
    {"UL2", "mixture_of_denoisers", ""},
    {"XLNet", "permutation_lm", ""},
};

constexpr FieldWord kObjectives[] = {
    {"any order language model", "permutation_lm", ""},
    {"arrow of time", "right_to_left_lm", "experiment arrow"},
    {"autoregressive language model", "causal_lm", ""},
    {"causal language model", "causal_lm", ""},
    {"CLM", "causal_lm", ""},
    {"diffusion", "masked_diffusion", "or block_diffusion and uniform_diffusion"},
    {"FIM", "fill_in_the_middle", ""},
    {"infilling objective", "fill_in_the_middle", "or blank_infilling"},
    {"language modeling", "causal_lm", ""},
    {"language modelling", "causal_lm", ""},
    {"masked language model", "masked_lm", ""},
    {"masked language modeling", "masked_lm", ""},
    {"masked language modelling", "masked_lm", ""},
    {"masking rate", "masked_lm.rate", "as in experiment masking_rate"},
    {"MLM", "masked_lm", ""},
    {"MTP", "multi_token_prediction", ""},
    {"next sentence prediction", "masked_lm.pair", "set to \"nsp\"; experiment nsp_ablation"},
    {"next token prediction", "causal_lm", ""},
    {"NSP", "masked_lm.pair", "set to \"nsp\"; experiment nsp_ablation"},
    {"PLM", "prefix_lm", "while permuted language modelling is permutation_lm"},
    {"prefix language model", "prefix_lm", ""},
    {"prefix proportion", "prefix_lm", "as in experiment prefix_proportion"},
    {"RTD", "replaced_token_detection", ""},
    {"reverse language model", "right_to_left_lm", ""},
    {"sentence order prediction", "masked_lm.pair", "set to \"sop\"; experiment nsp_ablation"},
    {"SOP", "masked_lm.pair", "set to \"sop\"; experiment nsp_ablation"},
    {"span length", "span_corruption.mean_span_length", "as in experiment span_length"},
};

constexpr FieldWord kParts[] = {
    {"Adam", "train.beta1", "one of the settings of AdamW, the only optimizer"},
    {"AdamW", "train.beta1", "one of its settings; it is the only optimizer"},
    {"BPE", "corpus.tokenizer.kind", ""},
    {"cosine", "train.schedule", ""},
    {"Gated DeltaNet", "gated_delta", ""},
    {"GLU", "gated", ""},
    {"GQA", "model.key_value_heads", ""},
    {"grouped query attention", "model.key_value_heads", ""},
    {"mixture of experts", "experts", "a feed-forward layer; experiment experts"},
    {"MoE", "experts", "a feed-forward layer; experiment experts"},
    {"MQA", "model.key_value_heads", "set to 1"},
    {"multi query attention", "model.key_value_heads", "set to 1"},
    {"NoPE", "model.positions", "set to \"none\"; experiment length_positions"},
    {"QK norm", "model.query_key_norm", ""},
    {"RoPE", "model.positions", "set to \"rotary\", the default"},
    {"sequence length", "model.context", ""},
    {"SSM", "mamba2", "or another mixer with a state of constant size"},
    {"state space model", "mamba2", "or another mixer with a state of constant size"},
    {"SwiGLU", "gated", ""},
    {"token budget", "train.budget", ""},
    {"unigram", "corpus.tokenizer.kind", ""},
    {"WSD", "train.schedule", "set to \"warmup_stable_decay\""},
};

constexpr FieldWord kMeasures[] = {
    {"BLiMP", "minimal_pairs", ""},
    {"CKA", "representation", ""},
    {"cross entropy", "held_out.loss", "in nats a target"},
    {"GLUE", "fine_tuning", "on a file of labelled texts; none of its tasks is shipped"},
    {"HumanEval", "infilling", "of its infilling tasks; nothing is executed"},
    {"in context learning", "prompting", ""},
    {"linear probe", "classification", ""},
    {"MAUVE", "text_quality", ""},
    {"NER", "tagging", ""},
    {"perplexity", "held_out.loss",
     "of which it is the exponential; held_out.bits_per_byte needs no tokens in common"},
    {"PPL", "held_out.loss",
     "of which it is the exponential; held_out.bits_per_byte needs no tokens in common"},
    {"surprisal", "reading_times", ""},
    {"WikiText", "text", "of files of your own; experiment wikitext"},
};

// What a reader of the field may look for and not find.
constexpr FieldWord kMissing[] = {
    {"Chinchilla", "",
     "compute-optimal sizes are not fitted; the nearest is experiment objective_by_size, with "
     "train.budget.flops for budgets by FLOPs"},
    {"distillation", "", "no arm learns from another model; train.start goes on from its weights"},
    {"DPO", "", "nothing is trained on preferences; the nearest is probe ratings, which measures"},
    {"instruction tuning", "",
     "the nearest is probe seq2seq, which fine-tunes on pairs of input and output"},
    {"LoRA", "", "probes fine-tune all weights (fine_tuning) or none (classification)"},
    {"MMLU", "",
     "no such questions are shipped; the nearest are probes minimal_pairs and prompting, on files "
     "of your own"},
    {"RLHF", "", "nothing is trained on preferences; the nearest is probe ratings, which measures"},
    {"scaling laws", "",
     "none is fitted; the nearest is experiment objective_by_size, which compares sizes"},
};

}  // namespace

std::span<const FieldWord> field_words() {
  static const std::vector<FieldWord> words = [] {
    std::vector<FieldWord> all;
    for (const std::span<const FieldWord> some :
         {std::span<const FieldWord>(kModels), std::span<const FieldWord>(kObjectives),
          std::span<const FieldWord>(kParts), std::span<const FieldWord>(kMeasures),
          std::span<const FieldWord>(kMissing)})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return words;
}

}  // namespace ablate
